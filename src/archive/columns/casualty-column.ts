import type { Casualties } from '../../domain/incident.ts'
import { enlarge } from '../../lib/bytes.ts'

/** Killed, injured and abducted: each has one byte of a slot's word. */
const FIGURE_INDEXES = [0, 1, 2] as const
/** Larger figures go into a map. With this maximum, sums of 8 million incidents fit in 31 bits. */
const MAX_BYTE = 0xff
/** Three bits from here mark the known figures; the next marks that one of them is in the map. */
const DIMENSION_BITS = 24
const LARGE_BIT = 27

/** Stores a slot's casualties in one word, because summing them mostly waits for memory. */
export class CasualtyColumn {
  #words: Int32Array
  readonly #large = new Map<number, Casualties>()

  constructor(capacity: number) {
    this.#words = new Int32Array(capacity)
  }

  get(slot: number): Casualties {
    const word = this.#words[slot]!
    const figure = (number: number) => (isKnown(word, number) ? (word >>> (8 * number)) & MAX_BYTE : null)
    return this.#large.get(slot) ?? { killed: figure(0), injured: figure(1), abducted: figure(2) }
  }

  set(slot: number, killed: number | null, injured: number | null, abducted: number | null): void {
    const word = partOf(killed, 0) | partOf(injured, 1) | partOf(abducted, 2)
    const isLarge = ((word >>> LARGE_BIT) & 1) === 1
    if (isLarge) this.#large.set(slot, { killed, injured, abducted })
    else if (this.#large.size > 0) this.#large.delete(slot)
    this.#words[slot] = word
  }

  /** One for each slot; the figures that do not fit in are only in `large`. */
  get words(): Int32Array {
    return this.#words
  }

  /** Returns the casualties of a slot if one of its figures does not fit into its word. */
  largeOf(slot: number): Casualties | null {
    return ((this.#words[slot]! >>> LARGE_BIT) & 1) === 0 ? null : (this.#large.get(slot) ?? null)
  }

  /** Adds the figures to the word of the slot, which has been copied. */
  setLarge(slot: number, casualties: Casualties): void {
    this.#large.set(slot, casualties)
  }

  grow(slots: number): void {
    this.#words = enlarge(this.#words, slots)
  }

  /**
   * Adds each slot to its bucket. Branch-free: which figures are known follows no pattern, and a
   * mispredicted branch costs more than the rest of the loop.
   */
  addTo(sums: CasualtySums, slots: Uint32Array, buckets: Int32Array): void {
    const { numbers } = sums
    const words = this.#words
    const count = slots.length
    let seen = 0
    for (let index = 0; index < count; index++) {
      const word = words[slots[index]!]!
      const start = buckets[index]! << BUCKET_BITS
      const known = start | ((word >>> DIMENSION_BITS) & 7)
      numbers[known] = (numbers[known]! + 1) | 0
      numbers[start | SUMS_START] = (numbers[start | SUMS_START]! + (word & MAX_BYTE)) | 0
      numbers[start | (SUMS_START + 1)] = (numbers[start | (SUMS_START + 1)]! + ((word >>> 8) & MAX_BYTE)) | 0
      numbers[start | (SUMS_START + 2)] = (numbers[start | (SUMS_START + 2)]! + ((word >>> 16) & MAX_BYTE)) | 0
      seen |= word
    }
    if ((seen >>> LARGE_BIT) & 1) this.#addLarge(sums, slots, buckets)
  }

  #addLarge(sums: CasualtySums, slots: Uint32Array, buckets: Int32Array): void {
    for (const [index, slot] of slots.entries()) {
      const large = this.#large.get(slot)
      if (large === undefined) continue
      for (const [number, figure] of [large.killed, large.injured, large.abducted].entries())
        if (figure !== null && figure > MAX_BYTE) sums.addLarge(buckets[index]!, number, figure)
    }
  }
}

/** Returns the bits of a figure in the word of its slot. */
function partOf(figure: number | null, number: number): number {
  if (figure === null) return 0
  const known = 1 << (DIMENSION_BITS + number)
  return figure <= MAX_BYTE ? known | (figure << (8 * number)) : known | (1 << LARGE_BIT)
}

function isKnown(word: number, figure: number): boolean {
  return ((word >>> (DIMENSION_BITS + figure)) & 1) === 1
}

/** 16 numbers per bucket: 8 counts of incidents by the set of known figures, then 3 sums. */
const BUCKET_BITS = 4
const COMBINATIONS = 2 ** FIGURE_INDEXES.length
const SUMS_START = COMBINATIONS
const USED_NUMBERS = SUMS_START + FIGURE_INDEXES.length

export class CasualtySums {
  readonly numbers: Int32Array
  /** Sums of the figures too large for a byte, by their index in `numbers`. */
  readonly #large = new Map<number, number>()

  constructor(buckets: number) {
    this.numbers = new Int32Array(buckets << BUCKET_BITS)
  }

  addLarge(bucket: number, figure: number, large: number): void {
    const at = (bucket << BUCKET_BITS) | (SUMS_START + figure)
    this.#large.set(at, (this.#large.get(at) ?? 0) + large)
  }

  /** Adds bucket `other` of `others` to `bucket`. */
  addBucket(bucket: number, others: CasualtySums, other: number): void {
    const [start, from] = [bucket << BUCKET_BITS, other << BUCKET_BITS]
    for (let number = 0; number < USED_NUMBERS; number++)
      this.numbers[start | number]! += others.numbers[from | number]!
    if (others.#large.size === 0) return
    for (const figure of FIGURE_INDEXES)
      this.addLarge(bucket, figure, others.#large.get(from | (SUMS_START + figure)) ?? 0)
  }

  at(bucket: number): CasualtyTotals {
    const { numbers } = this
    const start = bucket << BUCKET_BITS
    // The index is a bit set: killed 1, injured 2, abducted 4.
    const none = numbers[start]!
    const killed = numbers[start | 1]!
    const injured = numbers[start | 2]!
    const allButAbducted = numbers[start | 3]!
    const abducted = numbers[start | 4]!
    const allButInjured = numbers[start | 5]!
    const allButKilled = numbers[start | 6]!
    const all = numbers[start | 7]!
    return {
      count: none + killed + injured + abducted + allButAbducted + allButInjured + allButKilled + all,
      killed: this.#sum(start, 0),
      killedKnown: killed + allButAbducted + allButInjured + all,
      injured: this.#sum(start, 1),
      injuredKnown: injured + allButAbducted + allButKilled + all,
      abducted: this.#sum(start, 2),
      abductedKnown: abducted + allButInjured + allButKilled + all,
    }
  }

  #sum(start: number, figure: number): number {
    const at = start | (SUMS_START + figure)
    return this.numbers[at]! + (this.#large.size === 0 ? 0 : (this.#large.get(at) ?? 0))
  }
}

/** The number of incidents, the sum of each figure, and in how many incidents it is known. */
export interface CasualtyTotals {
  readonly count: number
  readonly killed: number
  readonly killedKnown: number
  readonly injured: number
  readonly injuredKnown: number
  readonly abducted: number
  readonly abductedKnown: number
}
