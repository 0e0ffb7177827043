/**
 * A row of a table: words that mean something, with a text that it must match (a test sees to it).
 */
export interface Rule<Meaning> {
  readonly means: Meaning
  readonly words: RegExp
  readonly example: string
}

/** Matches in lower and upper case, at the borders of words. */
export function rule<const Meaning>(means: Meaning, words: string, example: string): Rule<Meaning> {
  return { means, words: new RegExp(`\\b(?:${words})\\b`, 'i'), example }
}

export interface Span {
  readonly start: number
  readonly end: number
}

/** The first match of a rule, or null. */
export function spanOf({ words }: { readonly words: RegExp }, text: string): Span | null {
  const match = words.exec(text)
  return match ? { start: match.index, end: match.index + match[0].length } : null
}
