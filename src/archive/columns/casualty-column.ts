import type { Casualties } from '../../domain/incident.ts'
import { enlarge } from '../../lib/enlarge.ts'

/** Killed, injured, abducted: each has a byte of a slot's word. */
const FIGURES = [0, 1, 2] as const
/** A larger one is kept apart. The sums of eight million incidents with as many each fit into 31 bits. */
const MOST = 0xff
/** Where the word's bits begin that say which figures are known, and the one that says that some are kept apart. */
const DIMENSION_BITS = 24
const APART = 27

/**
 * Every slot's casualties, many of them unknown, in one word: three bytes, and bits that say which of them are known. They are always
 * asked for together, and waiting for memory is what adding up does most.
 */
export class CasualtyColumn {
  #words: Int32Array
  readonly #large = new Map<number, Casualties>()

  constructor(capacity: number) {
    this.#words = new Int32Array(capacity)
  }

  get(slot: number): Casualties {
    const word = this.#words[slot]!
    const figure = (number: number) => (isKnown(word, number) ? (word >>> (8 * number)) & MOST : null)
    return this.#large.get(slot) ?? { killed: figure(0), injured: figure(1), abducted: figure(2) }
  }

  set(slot: number, { killed, injured, abducted }: Casualties): void {
    this.#large.delete(slot)
    const figures = [killed, injured, abducted]
    let word = 0
    for (const number of FIGURES) {
      const figure = figures[number]!
      if (figure === null) continue
      word |= 1 << (DIMENSION_BITS + number)
      if (figure <= MOST) word |= figure << (8 * number)
      else this.#large.set(slot, { killed, injured, abducted })
    }
    this.#words[slot] = this.#large.has(slot) ? word | (1 << APART) : word
  }

  grow(): void {
    this.#words = enlarge(this.#words)
  }

  /**
   * Counts each slot at its place and adds its figures there. No branch in the loop: which figures are known follows no
   * pattern, and a processor that guesses wrong waits longer than all the rest takes.
   */
  addTo(sums: CasualtySums, slots: Uint32Array, places: Int32Array): void {
    const { numbers } = sums
    const words = this.#words
    const count = slots.length
    let seen = 0
    for (let index = 0; index < count; index++) {
      const word = words[slots[index]!]!
      const start = places[index]! << PLACE_BITS
      const known = start | ((word >>> DIMENSION_BITS) & 7)
      numbers[known] = (numbers[known]! + 1) | 0
      numbers[start | SUMS] = (numbers[start | SUMS]! + (word & MOST)) | 0
      numbers[start | (SUMS + 1)] = (numbers[start | (SUMS + 1)]! + ((word >>> 8) & MOST)) | 0
      numbers[start | (SUMS + 2)] = (numbers[start | (SUMS + 2)]! + ((word >>> 16) & MOST)) | 0
      seen |= word
    }
    if ((seen >>> APART) & 1) this.#addLarge(sums, slots, places)
  }

  #addLarge(sums: CasualtySums, slots: Uint32Array, places: Int32Array): void {
    for (const [index, slot] of slots.entries()) {
      const large = this.#large.get(slot)
      if (large === undefined) continue
      for (const [number, figure] of [large.killed, large.injured, large.abducted].entries())
        if (figure !== null && figure > MOST) sums.addLarge(places[index]!, number, figure)
    }
  }
}

function isKnown(word: number, figure: number): boolean {
  return ((word >>> (DIMENSION_BITS + figure)) & 1) === 1
}

/** A place has 16 numbers: first how many incidents have just these figures known, one for each of the 8 combinations; then three sums. */
const PLACE_BITS = 4
const COMBINATIONS = 2 ** FIGURES.length
const SUMS = COMBINATIONS
const USED = SUMS + FIGURES.length

/** Casualties added up by place. */
export class CasualtySums {
  readonly numbers: Int32Array
  /** What figures too large for a word add to the sums, by their place in `numbers`. */
  readonly #large = new Map<number, number>()

  constructor(places: number) {
    this.numbers = new Int32Array(places << PLACE_BITS)
  }

  addLarge(place: number, figure: number, large: number): void {
    const at = (place << PLACE_BITS) | (SUMS + figure)
    this.#large.set(at, (this.#large.get(at) ?? 0) + large)
  }

  /** Adds a place of others. */
  addPlace(place: number, others: CasualtySums, other: number): void {
    const [start, from] = [place << PLACE_BITS, other << PLACE_BITS]
    for (let number = 0; number < USED; number++) this.numbers[start | number]! += others.numbers[from | number]!
    if (others.#large.size === 0) return
    for (const figure of FIGURES) this.addLarge(place, figure, others.#large.get(from | (SUMS + figure)) ?? 0)
  }

  at(place: number): Sums {
    const { numbers } = this
    const start = place << PLACE_BITS
    // By bits: killed 1, injured 2, abducted 4.
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
    const at = start | (SUMS + figure)
    return this.numbers[at]! + (this.#large.size === 0 ? 0 : (this.#large.get(at) ?? 0))
  }
}

/** How many incidents, the sums of their figures, and how many of them had one. */
export interface Sums {
  readonly count: number
  readonly killed: number
  readonly killedKnown: number
  readonly injured: number
  readonly injuredKnown: number
  readonly abducted: number
  readonly abductedKnown: number
}
