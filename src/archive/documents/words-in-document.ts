import type { Incident } from '../../domain/incident.ts'
import { summaryHasWords } from '../../filter/matches.ts'
import { BytePattern } from '../../lib/bytes.ts'

const START = '"summary":"'
const BEFORE_SUMMARY = new BytePattern(START)
const END = Buffer.from('","sources":[')
/** The members before the summary are never shorter. */
const LEAST_BEFORE = 256
const QUOTE = 0x22
const BETWEEN_WORDS = 0x20
const DROPPED = 0
const NOT_PLAIN = 255

/**
 * Folds a byte of a summary: letters to lower case, anything else to a space between words.
 */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (byte < 0x20 || byte > 0x7e || character === '\\') return NOT_PLAIN
  if (character === "'" || character === '`') return DROPPED
  return /[a-z0-9]/i.test(character) ? character.toLowerCase().charCodeAt(0) : BETWEEN_WORDS
})

/** Holds a folded summary; shared, as nothing in it outlives one test. Longer ones are parsed. */
const folded = new Uint8Array(4096)

/** Tells whether the summary of the document between two positions has all words. */
type WordTest = (bytes: Uint8Array, start: number, end: number) => boolean

/**
 * Returns a test for the words. It reads bytes without making strings: a question may read a
 * million documents, and the garbage of as many strings holds the event loop. Relies on the output
 * of `JSON.stringify`, where a string has no unescaped quote, so that `"summary":"` can only be
 * the member.
 */
export function wordTest(words: readonly string[]): WordTest {
  const wanted = words.map((word) => new TextEncoder().encode(word))
  const all = 2 ** wanted.length - 1
  /** The words that begin with a byte, as bits. */
  const beginningWith = new Uint32Array(256)
  for (const [index, word] of wanted.entries()) beginningWith[word[0]!]! |= 1 << index

  const hasWordsInFolded = (length: number): boolean => {
    let found = 0
    let previous = BETWEEN_WORDS
    for (let at = 0; at < length; at++) {
      const byte = folded[at]!
      if (previous === BETWEEN_WORDS) {
        const candidates = beginningWith[byte]! & ~found
        for (let index = 0; candidates >> index !== 0; index++) {
          if ((candidates >> index) & 1 && isAt(wanted[index]!, at)) found |= 1 << index
        }
        if (found === all) return true
      }
      previous = byte
    }
    return false
  }

  return (bytes, start, end) => {
    const summary = BEFORE_SUMMARY.endIn(bytes, start + LEAST_BEFORE, end)
    const length = summary < 0 ? -1 : foldSummary(bytes, summary, end)
    return length < 0 ? parsedHasWords(bytes.subarray(start, end), words) : hasWordsInFolded(length)
  }
}

/** Folds the text up to its closing quote; returns its length, or -1 if it has to be parsed. */
function foldSummary(bytes: Uint8Array, from: number, end: number): number {
  let length = 0
  for (let at = from; at < end && length < folded.length - 1; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) {
      folded[length] = BETWEEN_WORDS
      return length
    }
    const value = FOLDED[byte]!
    if (value === NOT_PLAIN) return -1
    if (value !== DROPPED) folded[length++] = value
  }
  return -1
}

/** A folded text ends with a space, which no word has. */
function isAt(word: Uint8Array, at: number): boolean {
  for (let index = 0; index < word.length; index++) if (folded[at + index] !== word[index]) return false
  return true
}

function parsedHasWords(document: Uint8Array, words: readonly string[]): boolean {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.length)
  const start = bytes.indexOf(START, LEAST_BEFORE) + START.length
  const end = bytes.indexOf(END, start)
  if (start < START.length || end < 0) return summaryHasWords((JSON.parse(bytes.toString()) as Incident).summary, words)
  return summaryHasWords(JSON.parse(bytes.toString('utf8', start - 1, end + 1)) as string, words)
}
