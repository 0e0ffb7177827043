export type Slots<Context> = Readonly<Record<string, (context: Context) => string>>

export interface Template<Context> {
  /** The slots it uses, each once, by the name in the table. */
  readonly uses: ReadonlySet<string>
  readonly render: (context: Context) => string
}

/** A text with `{slots}`, taken apart once. A slot written with a capital begins a sentence. */
export function template<Context>(text: string, slots: Slots<Context>): Template<Context> {
  const pieces = text.split(/\{(\w+)\}/)
  const uses = new Set<string>()
  const fillings = pieces
    .filter((_, at) => at % 2 === 1)
    .map((name) => {
      const plain = name[0]!.toLowerCase() + name.slice(1)
      const slot = slots[plain]
      if (!slot) throw new TypeError(`no such slot: {${name}}`)
      uses.add(plain)
      return name === plain ? slot : (context: Context) => opening(slot(context))
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

/** As the beginning of a sentence, which is never a figure. */
export function opening(text: string): string {
  const first = text.charCodeAt(0)
  if (first >= 48 && first <= 57) return `At least ${text}`
  return text.charAt(0).toUpperCase() + text.slice(1)
}
