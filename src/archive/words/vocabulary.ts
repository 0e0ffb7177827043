import { enlarge } from '../../lib/bytes.ts'
import { hashOfWord } from './summary-words.ts'

/** The words by number, as plain data: word n ends at `ends[n]`, where the next one begins. */
export interface VocabularyContents {
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}

const FIRST_WORDS = 128
const BYTES_PER_WORD = 8
/** A word is looked for among those with the same first two bytes. */
const CHAINS = 1 << 16

/**
 * Numbers words by their UTF-8 bytes, and finds those that begin with others. Packed: as strings in
 * a `Map` a hundred thousand words would take five times the memory. A number is never given to
 * another word.
 */
export class Vocabulary {
  #bytes = new Uint8Array(FIRST_WORDS * BYTES_PER_WORD)
  #ends = new Uint32Array(FIRST_WORDS)
  /** A hash table with open addressing; each entry is a number + 1. */
  #table = new Uint32Array(2 * FIRST_WORDS)
  /**
   * By the first two bytes: the number + 1 of one such word; `#next` has the following one. Made by
   * the first search.
   */
  #chains: Uint32Array | null = null
  #next = new Uint32Array()
  #size = 0

  static of({ bytes, ends }: VocabularyContents): Vocabulary {
    const vocabulary = new Vocabulary()
    for (let number = 0, start = 0; number < ends.length; number++) {
      const end = ends[number]!
      vocabulary.#append(bytes, start, end)
      if (end > start) vocabulary.#link(number)
      start = end
    }
    return vocabulary
  }

  /** All numbers are below. */
  get size(): number {
    return this.#size
  }

  /** The bytes of memory. */
  get memory(): number {
    const parts = [this.#bytes, this.#ends, this.#table, this.#chains, this.#next]
    return parts.reduce((sum, part) => sum + (part?.byteLength ?? 0), 0)
  }

  get contents(): VocabularyContents {
    return { bytes: this.#bytes.slice(0, this.#endOf(this.#size - 1)), ends: this.#ends.slice(0, this.#size) }
  }

  /** The same with nothing for the words whose number is not marked. */
  contentsOf(used: Uint8Array): VocabularyContents {
    const { bytes, ends } = this.contents
    let kept = 0
    for (let number = 0; number < ends.length; number++) {
      const [start, end] = [this.#endOf(number - 1), this.#endOf(number)]
      if (used[number] === 1) {
        bytes.copyWithin(kept, start, end)
        kept += end - start
      }
      ends[number] = kept
    }
    return { bytes: bytes.slice(0, kept), ends }
  }

  /** Returns the number of a word, which it gets if it has none. */
  add(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const known = this.#find(bytes, start, end, hash)
    if (known >= 0) return known
    const number = this.#append(bytes, start, end)
    this.#link(number)
    return number
  }

  /** Returns the number of each word of other contents, in their order; adds unknown ones. */
  addAll({ bytes, ends }: VocabularyContents): Uint32Array {
    const numbers = new Uint32Array(ends.length)
    for (let number = 0, start = 0; number < ends.length; number++) {
      const end = ends[number]!
      numbers[number] = this.add(bytes, start, end, hashOfWord(bytes, start, end))
      start = end
    }
    return numbers
  }

  /** Returns the number of a word; null if it has none. */
  numberOf(word: Uint8Array): number | null {
    const number = this.#find(word, 0, word.length, hashOfWord(word, 0, word.length))
    return number < 0 ? null : number
  }

  /** Returns the numbers of the words that begin with these bytes, ascending. */
  numbersFrom(beginning: Uint8Array): Uint32Array {
    const chains = this.#chains ?? this.#makeChains()
    const numbers: number[] = []
    const first = beginning[0]! << 8
    const [from, to] = beginning.length === 1 ? [first, first | 0xff] : [first | beginning[1]!, first | beginning[1]!]
    for (let chain = from; chain <= to; chain++)
      for (let next = chains[chain]!; next > 0; next = this.#next[next - 1]!)
        if (this.#begins(next - 1, beginning)) numbers.push(next - 1)
    return Uint32Array.from(numbers).sort()
  }

  /** Forgets the words whose number is not marked, and overwrites them. */
  keepOnly(used: Uint8Array): void {
    this.#table.fill(0)
    this.#chains = null
    for (let number = 0; number < this.#size; number++) {
      const [start, end] = [this.#endOf(number - 1), this.#endOf(number)]
      if (used[number] !== 1) this.#bytes.fill(0, start, end)
      else if (end > start) this.#link(number)
    }
  }

  #endOf(number: number): number {
    return number < 0 ? 0 : this.#ends[number]!
  }

  #begins(number: number, beginning: Uint8Array): boolean {
    const start = this.#endOf(number - 1)
    if (this.#ends[number]! - start < beginning.length) return false
    for (let index = 0; index < beginning.length; index++)
      if (this.#bytes[start + index] !== beginning[index]) return false
    return true
  }

  #find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const table = this.#table
    const ends = this.#ends
    const store = this.#bytes
    const mask = table.length - 1
    const length = end - start
    for (let at = placeOf(hash) & mask; ; at = (at + 1) & mask) {
      const number = table[at]! - 1
      if (number < 0) return -1
      const known = number === 0 ? 0 : ends[number - 1]!
      if (ends[number]! - known !== length) continue
      let same = 0
      while (same < length && store[known + same] === bytes[start + same]) same++
      if (same === length) return number
    }
  }

  #append(bytes: Uint8Array, start: number, end: number): number {
    const number = this.#size++
    const from = this.#endOf(number - 1)
    const length = end - start
    while (from + length > this.#bytes.length) this.#bytes = enlarge(this.#bytes)
    if (number >= this.#ends.length) this.#ends = enlarge(this.#ends)
    this.#bytes.set(bytes.subarray(start, end), from)
    this.#ends[number] = from + length
    return number
  }

  /** Makes the word known under its number. */
  #link(number: number): void {
    if (2 * this.#size > this.#table.length) this.#enlargeTable(number)
    this.#enter(number)
    if (this.#chains !== null) this.#chain(number, this.#chains)
  }

  #makeChains(): Uint32Array {
    const chains = new Uint32Array(CHAINS)
    for (const entry of this.#table) if (entry > 0) this.#chain(entry - 1, chains)
    this.#chains = chains
    return chains
  }

  #chain(number: number, chains: Uint32Array): void {
    const start = this.#endOf(number - 1)
    const chain = (this.#bytes[start]! << 8) | (this.#ends[number]! - start > 1 ? this.#bytes[start + 1]! : 0)
    if (number >= this.#next.length) this.#next = enlarge(this.#next, this.#ends.length)
    this.#next[number] = chains[chain]!
    chains[chain] = number + 1
  }

  #enter(number: number): void {
    const mask = this.#table.length - 1
    let at = placeOf(hashOfWord(this.#bytes, this.#endOf(number - 1), this.#ends[number]!)) & mask
    while (this.#table[at] !== 0) at = (at + 1) & mask
    this.#table[at] = number + 1
  }

  #enlargeTable(before: number): void {
    const known = this.#table.filter((entry) => entry > 0 && entry <= before)
    let { length } = this.#table
    while (2 * this.#size > length) length *= 2
    this.#table = new Uint32Array(length)
    for (const entry of known) this.#enter(entry - 1)
  }
}

/** The low bits of FNV-1a differ too little in short words. */
function placeOf(hash: number): number {
  return hash ^ (hash >>> 15)
}
