import type { Dictionary } from '../columns/dictionary.ts'

const ENTRIES = 1 << 12
const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * Numbers the texts of a column by their bytes: for one that was read before, no string is made.
 */
export class TextNumbers {
  readonly #dictionary: Dictionary
  /** By a part of the hash: the number of the last text that had it, plus one. */
  readonly #numbers = new Uint16Array(ENTRIES)

  constructor(dictionary: Dictionary) {
    this.#dictionary = dictionary
  }

  /** Reads a JSON string up to its closing quote. Returns -1 if it is not ASCII, or has escapes. */
  numberAt(bytes: Buffer, start: number, end: number): number {
    let hash = 0
    let at = start
    for (; at < end; at++) {
      const byte = bytes[at]!
      if (byte === QUOTE) break
      if (byte === BACKSLASH || byte >= 0x80) return -1
      hash = Math.imul(hash ^ byte, 0x01000193)
    }
    if (at >= end) return -1
    const entry = (hash ^ (hash >>> 15)) & (ENTRIES - 1)
    const known = this.#numbers[entry]! - 1
    if (known >= 0 && isAt(bytes, start, at, this.#dictionary.textOf(known))) return known
    const number = this.#dictionary.add(bytes.toString('latin1', start, at))
    this.#numbers[entry] = number + 1
    return number
  }
}

function isAt(bytes: Buffer, start: number, end: number, text: string): boolean {
  if (text.length !== end - start) return false
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) !== bytes[start + index]) return false
  return true
}
