export type Placeholders<Context> = Readonly<Record<string, (context: Context) => string>>

export interface Template<Context> {
  /** Names of the placeholders that the text uses. */
  readonly uses: ReadonlySet<string>
  readonly render: (context: Context) => string
}

/** Compiles a text with `{placeholders}`. A capitalised placeholder begins a sentence. */
export function template<Context>(text: string, placeholders: Placeholders<Context>): Template<Context> {
  const pieces = text.split(/\{(\w+)\}/)
  const uses = new Set<string>()
  const fillings = pieces
    .filter((_, at) => at % 2 === 1)
    .map((name) => {
      const plain = name[0]!.toLowerCase() + name.slice(1)
      const fill = placeholders[plain]
      if (!fill) throw new TypeError(`unknown placeholder: {${name}}`)
      uses.add(plain)
      return name === plain ? fill : (context: Context) => opening(fill(context))
    })
  const texts = pieces.filter((_, at) => at % 2 === 0)
  return {
    uses,
    render(context) {
      let rendered = texts[0]!
      for (let at = 0; at < fillings.length; at++) rendered += fillings[at]!(context) + texts[at + 1]!
      return rendered
    },
  }
}

/** Turns a text into the beginning of a sentence, which must not be a figure. */
export function opening(text: string): string {
  const first = text.charCodeAt(0)
  if (first >= 48 && first <= 57) return `At least ${text}`
  return text.charAt(0).toUpperCase() + text.slice(1)
}
