import type { Casualties } from '../domain/incident.ts'
import { doubled } from './doubled.ts'

/** Killed, injured, abducted. */
const EACH = 3
const UNKNOWN = 0
/** Stands for a figure that does not fit: those few are kept apart. */
const LARGE = 0xffff

/**
 * Every slot's casualties, many of them unknown, in two bytes each: the figure plus one, so that 0 means unknown. The three
 * of a slot stand together, for they are always asked for together.
 */
export class Tolls {
  #stored: Uint16Array
  readonly #large = new Map<number, number>()

  constructor(capacity: number) {
    this.#stored = new Uint16Array(capacity * EACH)
  }

  get(slot: number): Casualties {
    const start = slot * EACH
    return { killed: this.#at(start), injured: this.#at(start + 1), abducted: this.#at(start + 2) }
  }

  set(slot: number, { killed, injured, abducted }: Casualties): void {
    const start = slot * EACH
    this.#put(start, killed)
    this.#put(start + 1, injured)
    this.#put(start + 2, abducted)
  }

  grow(): void {
    this.#stored = doubled(this.#stored)
  }

  /**
   * Counts each slot at its place and adds its figures there. No branch in the loop: which figures are known follows no
   * pattern, and a processor that guesses wrong waits longer than all the rest takes.
   */
  addTo({ combinations, sums }: TollSums, slots: Uint32Array, places: Int32Array): void {
    const stored = this.#stored
    for (let index = 0; index < slots.length; index++) {
      const start = slots[index]! * EACH
      const killed = stored[start]!
      const injured = stored[start + 1]!
      const abducted = stored[start + 2]!
      // 1 where anything but 0 is stored.
      const known = ((killed + LARGE) >>> 16) | (((injured + LARGE) >>> 16) << 1) | (((abducted + LARGE) >>> 16) << 2)
      const place = places[index]!
      combinations[place * COMBINATIONS + known]!++
      const at = place * EACH
      sums[at]! += killed
      sums[at + 1]! += injured
      sums[at + 2]! += abducted
    }
    if (this.#large.size > 0) this.#addLarge(sums, slots, places)
  }

  #addLarge(sums: Float64Array, slots: Uint32Array, places: Int32Array): void {
    for (const [index, slot] of slots.entries()) {
      for (let figure = 0; figure < EACH; figure++) {
        const large = this.#large.get(slot * EACH + figure)
        if (large !== undefined) sums[places[index]! * EACH + figure]! += large + 1 - LARGE
      }
    }
  }

  #at(index: number): number | null {
    const stored = this.#stored[index]!
    if (stored === UNKNOWN) return null
    return stored === LARGE ? this.#large.get(index)! : stored - 1
  }

  #put(index: number, figure: number | null): void {
    if (this.#stored[index] === LARGE) this.#large.delete(index)
    const isLarge = figure !== null && figure + 1 >= LARGE
    if (isLarge) this.#large.set(index, figure)
    this.#stored[index] = figure === null ? UNKNOWN : isLarge ? LARGE : figure + 1
  }
}

/** Each of the three figures may be known or not. */
const COMBINATIONS = 2 ** EACH

/** Casualties added up by place. */
export class TollSums {
  /** How many incidents have just these figures: one count where four would be kept otherwise. */
  readonly combinations: Uint32Array
  /** Of the figures as they are stored, each one too large. */
  readonly sums: Float64Array

  constructor(places: number) {
    this.combinations = new Uint32Array(places * COMBINATIONS)
    this.sums = new Float64Array(places * EACH)
  }

  at(place: number): Sums {
    const { combinations, sums } = this
    const having = (known: number) => combinations[place * COMBINATIONS + known]!
    // By bits: killed 1, injured 2, abducted 4.
    const [killed, injured, abducted, all] = [having(1), having(2), having(4), having(7)]
    const [allButAbducted, allButInjured, allButKilled] = [having(3), having(5), having(6)]
    const killedKnown = killed + allButAbducted + allButInjured + all
    const injuredKnown = injured + allButAbducted + allButKilled + all
    const abductedKnown = abducted + allButInjured + allButKilled + all
    return {
      count: having(0) + killed + injured + abducted + allButAbducted + allButInjured + allButKilled + all,
      killed: sums[place * EACH]! - killedKnown,
      killedKnown,
      injured: sums[place * EACH + 1]! - injuredKnown,
      injuredKnown,
      abducted: sums[place * EACH + 2]! - abductedKnown,
      abductedKnown,
    }
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

export const NOTHING: Sums = {
  count: 0,
  killed: 0,
  killedKnown: 0,
  injured: 0,
  injuredKnown: 0,
  abducted: 0,
  abductedKnown: 0,
}

export function added(one: Sums, other: Sums): Sums {
  return {
    count: one.count + other.count,
    killed: one.killed + other.killed,
    killedKnown: one.killedKnown + other.killedKnown,
    injured: one.injured + other.injured,
    injuredKnown: one.injuredKnown + other.injuredKnown,
    abducted: one.abducted + other.abducted,
    abductedKnown: one.abductedKnown + other.abductedKnown,
  }
}
