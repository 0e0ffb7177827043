import type { Incident } from '../../domain/incident.ts'
import { BytePattern } from '../../lib/bytes.ts'
import { foundAs } from '../../lib/search-terms.ts'
import { foldedWords } from '../../lib/text.ts'

const START = '"summary":"'
const BEFORE_SUMMARY = new BytePattern(START)
const END = Buffer.from('","sources":[')
/** The members before the summary are never shorter. */
const LEAST_BEFORE = 256
const QUOTE = 0x22
const BACKSLASH = 0x5c
const SPACE = 0x20
/** Below the space, so that one comparison tells letters and digits from the rest. */
const DROPPED = 0
const NOT_PLAIN = 1

/** Folds a byte: letters to lower case, anything else to a space between words. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (byte < 0x20 || byte > 0x7e || character === '\\') return NOT_PLAIN
  if (character === "'" || character === '`') return DROPPED
  return /[a-z0-9]/i.test(character) ? character.toLowerCase().charCodeAt(0) : SPACE
})
/** The characters that may follow a backslash and are no part of a word. */
const ESCAPED = new Set(Buffer.from('"\\/bfnrt'))

const FNV_OFFSET_BASIS = 0x811c9dc5 | 0
const FNV_PRIME = 0x01000193
const encoder = new TextEncoder()

/** Folded words in UTF-8, with one space before and after each. */
class FoldedWords {
  bytes = new Uint8Array(4096)
  length = 0
  count = 0
  /** The end of each word; the next one begins behind the space. */
  ends = new Uint32Array(2048)
  hashes = new Int32Array(2048)

  /**
   * Reads the summary of the document between two positions without making strings: a start reads
   * a million documents. Relies on the output of `JSON.stringify`, where a string has no unescaped
   * quote, so that `"summary":"` can only be the member.
   */
  readDocument(document: Uint8Array, start: number, end: number): void {
    const from = BEFORE_SUMMARY.endIn(document, start + LEAST_BEFORE, end)
    if (from < 0 || !this.#readPlain(document, from, Math.min(end, from + this.bytes.length - 2)))
      this.readText(parsedSummary(document.subarray(start, end)))
  }

  readText(text: string): void {
    const words = ` ${foldedWords(text).join(' ')} `
    if (this.bytes.length < 3 * words.length) {
      this.bytes = new Uint8Array(6 * words.length)
      this.ends = new Uint32Array(this.bytes.length / 2)
      this.hashes = new Int32Array(this.bytes.length / 2)
    }
    this.length = encoder.encodeInto(words, this.bytes).written
    this.count = 0
    for (let at = 1, start = 1; at < this.length; at++) {
      if (this.bytes[at] !== SPACE) continue
      if (at > start) {
        this.ends[this.count] = at
        this.hashes[this.count++] = hashOfWord(this.bytes, start, at)
      }
      start = at + 1
    }
  }

  /** Returns false if the text has to be parsed. */
  #readPlain(document: Uint8Array, from: number, end: number): boolean {
    const { bytes, ends, hashes } = this
    bytes[0] = SPACE
    let length = 1
    let count = 0
    let hash = FNV_OFFSET_BASIS
    let start = 1
    for (let at = from; at < end; at++) {
      const byte = document[at]!
      let value = FOLDED[byte]!
      if (value > SPACE) {
        bytes[length++] = value
        hash = Math.imul(hash ^ value, FNV_PRIME)
        continue
      }
      if (value === NOT_PLAIN) {
        const skipped = punctuationAt(document, at)
        if (skipped === 0) return false
        if (isApostrophe(document, at)) value = DROPPED
        at += skipped - 1
      }
      if (value !== DROPPED && length > start) {
        ends[count] = length
        hashes[count++] = hash
        bytes[length++] = SPACE
        hash = FNV_OFFSET_BASIS
        start = length
      }
      if (byte !== QUOTE) continue
      this.length = length
      this.count = count
      return true
    }
    return false
  }
}

/** The words of the summary that was read last: nothing in it outlives one call. */
export const folded = new FoldedWords()

/**
 * The length of an escaped character that is no part of a word, or of a dash, a quotation mark or
 * an apostrophe from U+2010 to U+201F; 0 for anything else.
 */
function punctuationAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] === BACKSLASH) return ESCAPED.has(bytes[at + 1]!) ? 2 : 0
  const isPunctuation = bytes[at] === 0xe2 && bytes[at + 1] === 0x80 && bytes[at + 2]! >> 4 === 9
  return isPunctuation ? 3 : 0
}

/** U+2018 or U+2019. */
function isApostrophe(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xe2 && bytes[at + 2]! >> 1 === 0x98 >> 1
}

function parsedSummary(document: Uint8Array): string {
  const bytes = Buffer.from(document.buffer, document.byteOffset, document.length)
  const start = bytes.indexOf(START, LEAST_BEFORE) + START.length
  const end = bytes.indexOf(END, start)
  if (start < START.length || end < 0) return (JSON.parse(bytes.toString()) as Incident).summary
  return JSON.parse(bytes.toString('utf8', start - 1, end + 1)) as string
}

export function hashOfWord(bytes: Uint8Array, start: number, end: number): number {
  let hash = FNV_OFFSET_BASIS
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ bytes[at]!, FNV_PRIME)
  return hash
}

/** Tells whether the summary of the document between two positions has all phrases. */
type PhraseTest = (bytes: Uint8Array, start: number, end: number) => boolean

export function phraseTest(phrases: readonly string[]): PhraseTest {
  const texts = phrases.map((phrase) => encoder.encode(foundAs(phrase)))
  return (bytes, start, end) => {
    folded.readDocument(bytes, start, end)
    return texts.every(isInFolded)
  }
}

function isInFolded(text: Uint8Array): boolean {
  const { bytes, length } = folded
  const last = length - text.length
  for (let at = 0; at <= last; at++) {
    let index = 0
    while (index < text.length && bytes[at + index] === text[index]) index++
    if (index === text.length) return true
  }
  return false
}
