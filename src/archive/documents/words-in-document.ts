import type { Incident } from '../../domain/incident.ts'
import { summaryHasWords } from '../../query/filter/words.ts'

const START = Buffer.from('"summary":"')
const END = Buffer.from('","sources":[')
/** The members before the summary are never shorter. */
const LEAST_BEFORE = 256
/** ASCII without escapes of JSON: folding is lower case without apostrophes. */
const PLAIN = /^[\x20-\x5b\x5d-\x7e]*$/
const APOSTROPHES = /['`]/g

/**
 * Tells whether the summary in a document has all words, without parsing the document: a question
 * may read a million. Relies on the output of `JSON.stringify`, where a string has no unescaped
 * quote, so that `"summary":"` can only be the member.
 */
export function documentHasWords(document: Uint8Array, words: readonly string[]): boolean {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.length)
  const start = bytes.indexOf(START, LEAST_BEFORE) + START.length
  const end = bytes.indexOf(END, start)
  if (start < START.length || end < 0) return summaryHasWords((JSON.parse(bytes.toString()) as Incident).summary, words)
  // Bytes as characters, which costs less; what is not ASCII is decoded below.
  const summary = bytes.toString('latin1', start, end)
  if (PLAIN.test(summary)) return hasWordsInPlain(summary.toLowerCase().replace(APOSTROPHES, ''), words)
  return summaryHasWords(JSON.parse(bytes.toString('utf8', start - 1, end + 1)) as string, words)
}

function hasWordsInPlain(text: string, words: readonly string[]): boolean {
  for (const word of words) if (!beginsWord(text, word)) return false
  return true
}

function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !isLetterOrDigit(text.charCodeAt(at - 1))) return true
  }
  return false
}

function isLetterOrDigit(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57)
}
