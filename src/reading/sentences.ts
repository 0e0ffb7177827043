export interface Sentence extends Span {
  readonly text: string
}

/** A full stop after one of these ends no sentence. */
const ABBREVIATION =
  /\b(?:mr|mrs|ms|dr|prof|gen|maj|brig|col|lt|capt|sgt|cpl|insp|rev|fr|st|hon|sen|gov|no|vol|jr|sr|alh|engr|barr|a\.m|p\.m|[a-z]|u\.s|l\.g)\.$/i
const MAX_SENTENCES = 400
/** A longer one is cut: the time that patterns take grows faster than the text. */
const MAX_SENTENCE_LENGTH = 1000

/** Splits at full stops, semicolons between headlines, and line breaks. */
export function sentencesOf(text: string): Sentence[] {
  const sentences: Sentence[] = []
  let start = 0
  const push = (end: number): void => {
    while (end - start > MAX_SENTENCE_LENGTH && sentences.length < MAX_SENTENCES) {
      const space = text.lastIndexOf(' ', start + MAX_SENTENCE_LENGTH)
      cut(space > start ? space : start + MAX_SENTENCE_LENGTH)
    }
    if (sentences.length < MAX_SENTENCES) cut(end)
  }
  const cut = (end: number): void => {
    const raw = text.slice(start, end)
    const from = start + (raw.length - raw.trimStart().length)
    const trimmed = raw.trim()
    if (/[\p{L}\p{N}]/u.test(trimmed)) sentences.push({ start: from, end: from + trimmed.length, text: trimmed })
    start = end
  }
  for (const match of text.matchAll(/[.!?]["”’')\]]*(?=\s|$)|[.!?](?=["“]?[A-Z][a-z])|;|\n+/g)) {
    if (sentences.length >= MAX_SENTENCES) break
    const end = match.index + match[0].length
    if (match[0].startsWith('.') && ABBREVIATION.test(text.slice(Math.max(start, end - 8), end))) continue
    push(end)
  }
  push(text.length)
  return sentences
}

/**
 * A row of a table: words that mean something, with a text that it must match (a test sees to it).
 */
interface Rule<Meaning> {
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
