import { enlarge } from '../../lib/bytes.ts'
import { phraseWords } from '../../lib/search-terms.ts'
import type { Steps } from '../../lib/steps.ts'
import { addPairs, addToBitmap, bitmapOf, indexOfWord, NO_POSTINGS, Pairs, type Postings } from './postings.ts'
import { folded } from './summary-words.ts'
import { Vocabulary, type VocabularyContents } from './vocabulary.ts'

/** The slots of a block that is filled by arrivals, or written in a file. */
export const BLOCK_SLOTS = 8192
/** Writing the postings of a block takes milliseconds: as many changes are kept beside them. */
const MOST_CHANGES = 64
/** The fixed part of an entry of `changed`, in bytes. */
const CHANGE_BYTES = 200

/** The words of the documents of a chunk. Their numbers are those of its own vocabulary. */
export interface ScannedWords {
  readonly postings: Postings
  readonly vocabulary: VocabularyContents
}

/** Kept from chunk to chunk, and used by one scanner at a time: it has grown to their size. */
const scannedPairs = new Pairs()

/** Finds the words of documents that are given in turn. */
export class WordScanner {
  readonly #vocabulary = new Vocabulary()
  readonly #pairs = scannedPairs.clear()
  /** By the number of a word: the last offset that has it, plus one. */
  #last = new Uint32Array(1 << 13)

  add(offset: number, document: Uint8Array, start: number, end: number): void {
    folded.readDocument(document, start, end)
    const { bytes, count, ends, hashes } = folded
    for (let index = 0, from = 1; index < count; index++) {
      const to = ends[index]!
      const number = this.#vocabulary.add(bytes, from, to, hashes[index]!)
      from = to + 1
      if (number >= this.#last.length) this.#last = enlarge(this.#last)
      if (this.#last[number] === offset + 1) continue
      this.#last[number] = offset + 1
      this.#pairs.add(number, offset)
    }
  }

  finish(size: number): ScannedWords {
    return { postings: this.#pairs.postings(size, this.#vocabulary.size), vocabulary: this.#vocabulary.contents }
  }
}

/** Consecutive slots from `first` on, with their words. */
export class WordBlock {
  readonly first: number
  size: number
  postings: Postings
  /** The words, by offset, of slots that have changed since the postings were made. */
  readonly changed = new Map<number, Uint32Array>()

  constructor(first: number, postings: Postings) {
    this.first = first
    this.size = postings.size
    this.postings = postings
  }

  set(offset: number, words: Uint32Array, vocabulary: number): void {
    this.size = Math.max(this.size, offset + 1)
    this.changed.set(offset, words)
    if (this.changed.size > MOST_CHANGES) this.merge(vocabulary)
  }

  /** Makes new postings if slots have changed. */
  merge(vocabulary: number): void {
    if (this.changed.size === 0) return
    const pairs = new Pairs()
    this.collect(
      pairs,
      Int32Array.from({ length: this.size }, (_, offset) => offset),
    )
    this.postings = pairs.postings(this.size, vocabulary)
    this.changed.clear()
  }

  /** Adds the pairs of the slots that `place` has a new offset for; -1 leaves them out. */
  collect(pairs: Pairs, place: Int32Array): void {
    const unchanged = this.changed.size === 0 ? place : place.slice()
    for (const offset of this.changed.keys()) unchanged[offset] = -1
    addPairs(pairs, this.postings, unchanged)
    for (const [offset, words] of this.changed)
      if (place[offset]! >= 0) for (const word of words) pairs.add(word, place[offset]!)
  }
}

/**
 * The words of the incidents' summaries, by slot: exact, so that only phrases are compared with
 * documents. Slots lie in blocks, whatever their published order: a change is kept beside the
 * postings of its block until there are some.
 */
export class WordIndex {
  readonly #vocabulary: Vocabulary
  /** In the order of their slots, without gaps. */
  readonly #blocks: WordBlock[] = []

  constructor(vocabulary = new Vocabulary()) {
    this.#vocabulary = vocabulary
  }

  /** Takes over postings of slots that follow each other. */
  static of(vocabulary: VocabularyContents, postings: readonly Postings[]): WordIndex {
    const index = new WordIndex(Vocabulary.of(vocabulary))
    for (const one of postings) index.#blocks.push(new WordBlock(index.#end, one))
    return index
  }

  get vocabulary(): Vocabulary {
    return this.#vocabulary
  }

  get blocks(): readonly WordBlock[] {
    return this.#blocks
  }

  /** The bytes of memory. */
  get memory(): number {
    let bytes = this.#vocabulary.memory
    for (const { postings, changed } of this.#blocks) {
      bytes += postings.words.byteLength + postings.starts.byteLength + postings.bytes.byteLength
      for (const words of changed.values()) bytes += CHANGE_BYTES + words.byteLength
    }
    return bytes
  }

  /** Adds the words of slots that follow all others. */
  addScanned({ postings, vocabulary }: ScannedWords): void {
    const numbers = this.#vocabulary.addAll(vocabulary)
    this.#blocks.push(new WordBlock(this.#end, renumbered(postings, numbers)))
  }

  /** Puts the words of a summary in place of those of the slot. */
  set(slot: number, summary: string): void {
    folded.readText(summary)
    const { bytes, count, ends, hashes } = folded
    const words = new Set<number>()
    for (let index = 0, from = 1; index < count; from = ends[index++]! + 1)
      words.add(this.#vocabulary.add(bytes, from, ends[index]!, hashes[index]!))
    this.#change(slot, Uint32Array.from(words))
  }

  remove(slot: number): void {
    this.#change(slot, new Uint32Array())
  }

  /** Returns the slots that may match: those that do, apart from phrases of several words. */
  find(terms: readonly string[]): WordMatches {
    return new WordMatches(
      this.#blocks,
      terms.flatMap((term) => wordSetsOf(term, this.#vocabulary)),
    )
  }

  /** Writes the changes into the postings, and forgets the words that no slot has any more. */
  *compact(): Steps<void> {
    for (const block of [...this.#blocks]) {
      if (block.changed.size === 0) continue
      block.merge(this.#vocabulary.size)
      yield
    }
    const used = new Uint8Array(this.#vocabulary.size)
    for (const { postings, changed } of this.#blocks) {
      for (const word of postings.words) used[word] = 1
      for (const words of changed.values()) for (const word of words) used[word] = 1
    }
    this.#vocabulary.keepOnly(used)
  }

  /**
   * Makes postings of slots that nobody changes meanwhile, from the position `at` on, in their
   * order: those of a block as they are if its slots follow each other there.
   */
  *postingsAt(slots: Uint32Array, at: number): Steps<Postings> {
    if (this.#blockFrom(slots, at) !== null) return this.#blockFrom(slots, at)!.postings
    let end = at + 1
    while (end < slots.length && end - at < BLOCK_SLOTS && this.#blockFrom(slots, end) === null) end++
    const places = new Map<WordBlock, Int32Array>()
    for (let position = at; position < end; position++) {
      const block = this.#blocks[blockIndex(this.#blocks, slots[position]!)]!
      if (!places.has(block)) places.set(block, new Int32Array(block.size).fill(-1))
      places.get(block)![slots[position]! - block.first] = position - at
    }
    const pairs = new Pairs()
    for (const [block, place] of places) {
      block.collect(pairs, place)
      yield
    }
    return pairs.postings(end - at, this.#vocabulary.size)
  }

  /** The block whose slots, unchanged, are those from the position on; null if there is none. */
  #blockFrom(slots: Uint32Array, at: number): WordBlock | null {
    const block = this.#blocks[blockIndex(this.#blocks, slots[at]!)]!
    const { first, size, changed } = block
    if (slots[at] !== first || changed.size > 0 || at + size > slots.length) return null
    for (let offset = 1; offset < size; offset++) if (slots[at + offset] !== first + offset) return null
    return block
  }

  get #end(): number {
    const last = this.#blocks.at(-1)
    return last === undefined ? 0 : last.first + last.size
  }

  #change(slot: number, words: Uint32Array): void {
    let block = this.#blocks[blockIndex(this.#blocks, slot)]
    if (block === undefined || slot - block.first >= Math.max(block.size, BLOCK_SLOTS)) {
      block = new WordBlock(this.#end, NO_POSTINGS)
      this.#blocks.push(block)
    }
    block.set(slot - block.first, words, this.#vocabulary.size)
  }
}

/** The index of the block that a slot is in, or behind. */
export function blockIndex(blocks: readonly WordBlock[], slot: number): number {
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (blocks[middle]!.first <= slot) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** Replaces the numbers of words by others, and sorts by these. */
function renumbered({ size, words, starts, bytes }: Postings, numbers: Uint32Array): Postings {
  // A double holds both exactly, and sorts faster than through a function that compares.
  const sorted = Float64Array.from(words, (word, index) => numbers[word]! * 2 ** 21 + index).sort()
  const result = {
    size,
    words: new Uint32Array(words.length),
    starts: starts.slice(),
    bytes: new Uint8Array(bytes.length),
  }
  let end = 0
  for (const [at, both] of sorted.entries()) {
    const index = both % 2 ** 21
    result.words[at] = Math.floor(both / 2 ** 21)
    for (let from = starts[index]!; from < starts[index + 1]!; from++) result.bytes[end++] = bytes[from]!
    result.starts[at + 1] = end
  }
  return result
}

/** For each word of a term, the numbers of the words that are as good. */
function wordSetsOf(term: string, vocabulary: Vocabulary): Uint32Array[] {
  const phrase = phraseWords(term)
  if (phrase === null) return [vocabulary.numbersFrom(Buffer.from(term))]
  return phrase.map((word) => {
    const number = vocabulary.numberOf(Buffer.from(word))
    return number === null ? new Uint32Array() : Uint32Array.of(number)
  })
}

/** From this many words on, a block's words are looked up among them instead of the reverse. */
const MANY_WORDS = 64

/** The slots that have one word of each set. Works out a block when it is first needed. */
export class WordMatches {
  readonly #blocks: readonly WordBlock[]
  readonly #sets: readonly { readonly words: Uint32Array; readonly members: Uint8Array | null }[]
  readonly #found: (BlockMatches | undefined)[] = []
  /** The block of the last question, and its matches. */
  #first = 0
  #end = 0
  #current: BlockMatches = NO_MATCHES

  constructor(blocks: readonly WordBlock[], sets: readonly Uint32Array[]) {
    // A copy: arrivals add blocks, which nobody asks about who does not see their slots.
    this.#blocks = [...blocks]
    // The fewest first: what they leave is often nothing.
    this.#sets = sets
      .toSorted((one, other) => one.length - other.length)
      .map((words) => ({ words, members: words.length < MANY_WORDS ? null : membersOf(words) }))
  }

  /** Whether a word is in no summary. */
  get isNone(): boolean {
    return this.#sets[0]!.words.length === 0
  }

  has(slot: number): boolean {
    if (slot < this.#first || slot >= this.#end) this.#goTo(blockIndex(this.#blocks, slot))
    const { bitmap } = this.#current
    const offset = slot - this.#first
    return bitmap !== null && ((bitmap[offset >> 3]! >> (offset & 7)) & 1) === 1
  }

  /** Returns at least the number of matches among the slots from `first` up to `end`. */
  countAtMost(first: number, end: number): number {
    let count = 0
    for (let index = blockIndex(this.#blocks, first); index < this.#blocks.length; index++) {
      if (this.#blocks[index]!.first >= end) break
      count += this.#matchesIn(index).count
    }
    return count
  }

  /** Visits the matches among the slots from `first` up to `end`, until `visit` returns false. */
  walk(first: number, end: number, backwards: boolean, visit: (slot: number) => boolean): boolean {
    const from = blockIndex(this.#blocks, first)
    const to = blockIndex(this.#blocks, end - 1)
    for (let step = 0; step <= to - from; step++) {
      const index = backwards ? to - step : from + step
      const { bitmap } = this.#matchesIn(index)
      const { first: base } = this.#blocks[index]!
      if (bitmap !== null && !walkBits(bitmap, Math.max(0, first - base), end - base, backwards, base, visit))
        return false
    }
    return true
  }

  #goTo(index: number): void {
    this.#current = this.#matchesIn(index)
    this.#first = this.#blocks[index]!.first
    this.#end = this.#blocks[index + 1]?.first ?? Number.POSITIVE_INFINITY
  }

  #matchesIn(index: number): BlockMatches {
    this.#found[index] ??= this.#find(this.#blocks[index]!)
    return this.#found[index]
  }

  #find({ size, postings, changed }: WordBlock): BlockMatches {
    let all: Uint8Array | null = null
    for (const set of this.#sets) {
      const one = bitmapOf(size)
      addSet(one, postings, set)
      if (all !== null) for (let at = 0; at < one.length; at++) one[at]! &= all[at]!
      all = one
      if (countBits(one) === 0) break
    }
    if (all === null) return NO_MATCHES
    for (const [offset, words] of changed) {
      all[offset >> 3]! &= ~(1 << (offset & 7))
      const has = this.#sets.every((set) => words.some((word) => isMember(set, word)))
      if (has) all[offset >> 3]! |= 1 << (offset & 7)
    }
    const count = countBits(all)
    return count === 0 ? NO_MATCHES : { bitmap: all, count }
  }
}

interface BlockMatches {
  /** Null if there are none. */
  readonly bitmap: Uint8Array | null
  readonly count: number
}

const NO_MATCHES: BlockMatches = { bitmap: null, count: 0 }

type WordSet = { readonly words: Uint32Array; readonly members: Uint8Array | null }

/** By number, 1 for each of these ascending numbers of words. */
function membersOf(words: Uint32Array): Uint8Array {
  const members = new Uint8Array(words.at(-1)! + 1)
  for (const word of words) members[word] = 1
  return members
}

function isMember({ words, members }: WordSet, word: number): boolean {
  return members === null ? indexOfWord(words, word) >= 0 : members[word] === 1
}

function addSet(target: Uint8Array, postings: Postings, set: WordSet): void {
  if (set.members === null) {
    for (const word of set.words) {
      const index = indexOfWord(postings.words, word)
      if (index >= 0) addToBitmap(target, postings, index)
    }
    return
  }
  for (let index = 0; index < postings.words.length; index++)
    if (set.members[postings.words[index]!] === 1) addToBitmap(target, postings, index)
}

const BITS_IN_BYTE = Uint8Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll('0', '').length)

function countBits(bitmap: Uint8Array): number {
  let count = 0
  for (let at = 0; at < bitmap.length; at++) count += BITS_IN_BYTE[bitmap[at]!]!
  return count
}

/** Visits `base` plus each bit from `low` up to `high`. */
function walkBits(
  bitmap: Uint8Array,
  low: number,
  high: number,
  backwards: boolean,
  base: number,
  visit: (slot: number) => boolean,
): boolean {
  const last = Math.min(high, bitmap.length * 8) - 1
  for (let step = 0; step <= (last >> 3) - (low >> 3); step++) {
    const at = backwards ? (last >> 3) - step : (low >> 3) + step
    let rest = bitmap[at]!
    if (at === low >> 3) rest &= 0xff << (low & 7)
    if (at === last >> 3) rest &= 0xff >> (7 - (last & 7))
    while (rest !== 0) {
      const bit = backwards ? 31 - Math.clz32(rest) : 31 - Math.clz32(rest & -rest)
      if (!visit(base + at * 8 + bit)) return false
      rest &= ~(1 << bit)
    }
  }
  return true
}
