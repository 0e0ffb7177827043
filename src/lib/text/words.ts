import { foldAccents } from './fold-accents.ts'

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
