/** Hausa, Yoruba and Igbo letters that Unicode does not decompose into a base letter and a mark. */
const BASE_LETTERS: Readonly<Record<string, string>> = {
  ɓ: 'b',
  ɗ: 'd',
  ƙ: 'k',
  ƴ: 'y',
  ŋ: 'n',
  ɛ: 'e',
  ɔ: 'o',
  ǝ: 'e',
  ı: 'i',
}

/** Converts to lower case without accents, hooks and apostrophes: `Jema’a` becomes `jemaa`. */
export function foldAccents(text: string): string {
  // Shortcut: most texts are plain ASCII, and thousands of names are folded at the start.
  if (/^[a-z0-9 /.-]*$/.test(text)) return text
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[ɓɗƙƴŋɛɔǝı]/g, (letter) => BASE_LETTERS[letter] ?? letter)
    .replace(/[\p{M}'’‘ʼʻ`´]/gu, '')
}

/** Says why a text from outside is refused, after the name of its field. */
export const UNSTORABLE = 'contains a NUL character or half of a surrogate pair; leave it out'

/**
 * True if databases return the text unchanged: PostgreSQL has no text with NUL, and no UTF-8 has
 * half of a surrogate pair, which SQLite would change silently.
 */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

/** The text of a stranger that must not be refused, such as an answer or a feed, made storable. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd')
}

/** The words of a text in lower case and without accents. */
export function foldedWords(text: string): string[] {
  return foldAccents(text).match(/[\p{L}\p{N}]+/gu) ?? []
}

export interface Word {
  /** Lower case, without accents, apostrophes and a possessive "'s". */
  readonly key: string
  readonly start: number
  readonly end: number
  /** Begins with a capital letter. */
  readonly capital: boolean
  /** The characters between the previous word and this one, without spaces. */
  readonly before: string
}

const WORD = /[\p{L}\p{N}\p{M}]+(?:['’‘ʼ`´][\p{L}\p{N}\p{M}]+)*/gu
const POSSESSIVE = /['’‘ʼ`´]s$/
const PLAIN = /^[a-z0-9]*$/

/** The words of a text with their positions. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = []
  let last = 0
  for (const match of text.matchAll(WORD)) {
    const [written] = match
    const start = match.index
    const lower = written.toLowerCase()
    const key = PLAIN.test(lower) ? lower : foldAccents(lower.replace(POSSESSIVE, '')).replace(/[^a-z0-9]/g, '')
    const before = start - last > 1 ? text.slice(last, start).replace(/\s+/g, '') : text.slice(last, start).trim()
    words.push({ key, start, end: start + written.length, capital: written[0] !== lower[0], before })
    last = start + written.length
  }
  return words
}

/** Formats a whole number with commas: `1,234,567`. Much cheaper than the browser's formatter. */
export function numberText(number: number): string {
  return String(number).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

/** No program writes a double with more digits, such as 0.0000012345678901234567. */
const DECIMAL = /^[+-]?(\d{1,15}(\.\d{0,30})?|\.\d{1,30})(e[+-]?\d{1,3})?$/i

/**
 * Parses a number as programs write it, `0.30000000000000004` and `1e-7` too; null for other texts.
 */
export function parseDecimal(text: string): number | null {
  // Adding 0 turns -0 into 0: the two would have different canonical texts.
  const value = DECIMAL.test(text) ? Number(text) + 0 : Number.NaN
  return Number.isFinite(value) ? value : null
}
