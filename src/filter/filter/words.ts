import { foldedWords } from '../../lib/text.ts'
import type { FilterInput } from './parsers/input.ts'

/** Each word is looked for in every summary that the other filters leave. */
export const MAX_WORDS = 8
export const MAX_WORDS_LENGTH = 200

/** Parses `q`: folded words, sorted and without repetitions. Commas separate words as spaces do. */
export function parseWords(input: FilterInput): readonly string[] | null {
  const text = input.list('q')?.join(' ') ?? null
  if (text === null) return null
  if (text.length > MAX_WORDS_LENGTH) return input.reject('q', `is longer than ${MAX_WORDS_LENGTH} characters`)
  const words = [...new Set(foldedWords(text))].sort()
  if (words.length === 0) return input.reject('q', 'has no letter and no digit')
  if (words.length > MAX_WORDS) return input.reject('q', `has ${words.length} words; it takes up to ${MAX_WORDS}`)
  return words
}

/**
 * Defines the meaning of `q`: each word begins a word of the summary, whatever its case and
 * accents.
 */
export function summaryHasWords(summary: string, words: readonly string[]): boolean {
  const inSummary = foldedWords(summary)
  return words.every((word) => inSummary.some((other) => other.startsWith(word)))
}
