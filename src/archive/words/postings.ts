import { enlarge } from '../../lib/bytes.ts'

/**
 * The offsets of the incidents that have a word, for each word of some consecutive slots. Lists are
 * gaps in as few bytes as they need, or a bitmap where that is not longer: the length tells.
 */
export interface Postings {
  /** The number of slots. */
  readonly size: number
  /** Numbers of words, ascending. */
  readonly words: Uint32Array
  /** The list of the word at index n is from `starts[n]` up to `starts[n + 1]` in `bytes`. */
  readonly starts: Uint32Array
  readonly bytes: Uint8Array
}

export const NO_POSTINGS: Postings = {
  size: 0,
  words: new Uint32Array(),
  starts: new Uint32Array(1),
  bytes: new Uint8Array(),
}

export const bitmapOf = (size: number) => new Uint8Array((size + 7) >> 3)

/** Pairs of a word and an offset, each once, in any number. */
export class Pairs {
  #words = new Uint32Array(1 << 8)
  #offsets = new Uint32Array(1 << 8)
  #count = 0

  clear(): this {
    this.#count = 0
    return this
  }

  add(word: number, offset: number): void {
    if (this.#count === this.#words.length) {
      this.#words = enlarge(this.#words)
      this.#offsets = enlarge(this.#offsets)
    }
    this.#words[this.#count] = word
    this.#offsets[this.#count++] = offset
  }

  /** Makes postings of `size` slots; the numbers of words are below `vocabulary`. */
  postings(size: number, vocabulary: number): Postings {
    // Two stable counting sorts: by offset, which is often done already, then by word.
    if (!this.#isInOrder()) {
      const [words, offsets] = [this.#words, this.#offsets]
      const count = this.#count
      this.#words = sortedBy(offsets, size, words, count, new Uint32Array(words.length)).values
      this.#offsets = sortedBy(offsets, size, offsets, count, new Uint32Array(words.length)).values
    }
    const { sorted, written } = roomFor(this.#count, (size + 7) >> 3)
    const { ends, values: offsets } = sortedBy(this.#words, vocabulary, this.#offsets, this.#count, sorted)
    const words = new Uint32Array(countRises(ends))
    const starts = new Uint32Array(words.length + 1)
    const target = new ListWriter(size, written)
    for (let word = 0, start = 0, index = 0; index < words.length; word++) {
      const end = ends[word]!
      if (end === start) continue
      words[index++] = word
      starts[index] = target.write(offsets, start, end)
      start = end
    }
    return { size, words, starts, bytes: target.bytes }
  }

  #isInOrder(): boolean {
    for (let index = 1; index < this.#count; index++)
      if (this.#offsets[index]! < this.#offsets[index - 1]!) return false
    return true
  }
}

/** Sorts values by keys below `most`, keeping the order of equal ones; `ends` is by key. */
function sortedBy<Sorted extends Uint32Array>(
  keys: Uint32Array,
  most: number,
  values: Uint32Array,
  count: number,
  sorted: Sorted,
) {
  const ends = new Uint32Array(most + 1)
  for (let index = 0; index < count; index++) ends[keys[index]! + 1]!++
  for (let key = 0; key < most; key++) ends[key + 1]! += ends[key]!
  for (let index = 0; index < count; index++) sorted[ends[keys[index]!]!++] = values[index]!
  return { ends, values: sorted }
}

/** Memory for one call after the other: given back each time, it would keep the collector busy. */
let scratch = { sorted: new Uint32Array(), written: new Uint8Array() }

/** Room for the postings of as many offsets. */
function roomFor(offsets: number, bitmapBytes: number): typeof scratch {
  const bytes = (offsets + 1) * MOST_BYTES + bitmapBytes
  if (offsets > scratch.sorted.length || bytes > scratch.written.length)
    scratch = { sorted: new Uint32Array(2 * offsets), written: new Uint8Array(2 * bytes) }
  return scratch
}

/** The last entry of `ends` repeats the one before. */
function countRises(ends: Uint32Array): number {
  let rises = 0
  for (let value = 0, before = 0; value < ends.length; value++) {
    if (ends[value]! > before) rises++
    before = ends[value]!
  }
  return rises
}

/** A gap has at most this many bytes, of seven bits each. */
const MOST_BYTES = 5

/** Writes lists one behind the other. */
class ListWriter {
  readonly #bitmapBytes: number
  readonly #written: Uint8Array
  #length = 0

  constructor(size: number, written: Uint8Array) {
    this.#bitmapBytes = (size + 7) >> 3
    this.#written = written
  }

  get bytes(): Uint8Array {
    return this.#written.slice(0, this.#length)
  }

  /** Returns where the list ends. */
  write(offsets: Uint32Array, start: number, end: number): number {
    const bytes = this.#written
    const limit = this.#length + this.#bitmapBytes
    let at = this.#length
    let previous = -1
    for (let index = start; index < end && at < limit; index++) {
      let gap = offsets[index]! - previous - 1
      previous = offsets[index]!
      for (; gap > 0x7f; gap >>>= 7) bytes[at++] = (gap & 0x7f) | 0x80
      bytes[at++] = gap
    }
    if (at >= limit) {
      at = limit
      bytes.fill(0, this.#length, limit)
      for (let index = start; index < end; index++) {
        const offset = offsets[index]!
        bytes[this.#length + (offset >> 3)]! |= 1 << (offset & 7)
      }
    }
    this.#length = at
    return at
  }
}

/** Holds the offsets of one list; shared, as nothing in it outlives one call. */
let decoded = new Uint32Array(1 << 13)

/** Reads the list at an index into `decoded`; returns the number of offsets. */
function decode({ size, starts, bytes }: Postings, index: number): number {
  if (size > decoded.length) decoded = new Uint32Array(size)
  const start = starts[index]!
  const end = starts[index + 1]!
  let count = 0
  if (end - start === (size + 7) >> 3) {
    for (let at = start; at < end; at++)
      for (let rest = bytes[at]!; rest !== 0; rest &= rest - 1)
        decoded[count++] = (at - start) * 8 + 31 - Math.clz32(rest & -rest)
    return count
  }
  let offset = -1
  for (let at = start; at < end; ) {
    let byte = bytes[at++]!
    let gap = byte & 0x7f
    for (let shift = 7; byte > 0x7f; shift += 7) {
      byte = bytes[at++]!
      gap |= (byte & 0x7f) << shift
    }
    offset += gap + 1
    decoded[count++] = offset
  }
  return count
}

/** Adds the list at an index to a bitmap of the same slots. */
export function addToBitmap(target: Uint8Array, postings: Postings, index: number): void {
  const { size, starts, bytes } = postings
  const start = starts[index]!
  const end = starts[index + 1]!
  if (end - start === (size + 7) >> 3) {
    for (let at = start; at < end; at++) target[at - start]! |= bytes[at]!
    return
  }
  const count = decode(postings, index)
  for (let at = 0; at < count; at++) target[decoded[at]! >> 3]! |= 1 << (decoded[at]! & 7)
}

/** Adds the pairs whose offset `place` knows a new one for; -1 leaves them out. */
export function addPairs(target: Pairs, postings: Postings, place: Int32Array): void {
  for (let index = 0; index < postings.words.length; index++) {
    const word = postings.words[index]!
    const count = decode(postings, index)
    for (let at = 0; at < count; at++) {
      const offset = place[decoded[at]!]!
      if (offset >= 0) target.add(word, offset)
    }
  }
}

/** The index of a word in ascending `words`; -1 if it is not among them. */
export function indexOfWord(words: Uint32Array, word: number): number {
  let low = 0
  let high = words.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (words[middle]! < word) low = middle + 1
    else high = middle
  }
  return words[low] === word ? low : -1
}
