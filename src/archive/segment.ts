import { CELLS } from '../domain/grid.ts'
import type { Columns } from './columns.ts'
import { buildPostings, type Postings } from './postings.ts'

/**
 * How many incidents stand in one segment at most. Smaller makes an arrival cheaper (the newest segment is indexed
 * again), larger makes a walk over decades cheaper; a place must fit into 16 bits.
 */
export const SEGMENT_CAPACITY = 8192

/** The columns that have postings. */
export type Dimension = 'state' | 'lga' | 'type' | 'severity' | 'cell'

/** A run of incidents in published order, with postings for finding the few among them. */
export class Segment {
  readonly slots = new Uint32Array(SEGMENT_CAPACITY)
  size = 0
  #postings: Record<Dimension, Postings> | null = null
  #firstOfRun: number | null | undefined

  get last(): number {
    return this.slots[this.size - 1]!
  }

  /** Built when first asked for after a change, so that a burst of arrivals pays once. */
  postings(columns: Columns): Record<Dimension, Postings> {
    this.#postings ??= {
      state: buildPostings(columns.state, this.slots, this.size, columns.states.size),
      lga: buildPostings(columns.lga, this.slots, this.size, columns.lgas.size),
      type: buildPostings(columns.type, this.slots, this.size, columns.types.size),
      severity: buildPostings(columns.severity, this.slots, this.size, columns.severities.size),
      cell: buildPostings(columns.cell, this.slots, this.size, CELLS),
    }
    return this.#postings
  }

  /**
   * The first slot, where each next place has the next slot, as after a start: a place then tells its slot without a look
   * into memory. Null where arrivals out of order have mixed them.
   */
  get firstOfRun(): number | null {
    if (this.#firstOfRun === undefined) this.#firstOfRun = this.#findRun()
    return this.#firstOfRun
  }

  #findRun(): number | null {
    const first = this.slots[0]!
    for (let place = 1; place < this.size; place++) if (this.slots[place] !== first + place) return null
    return first
  }

  /** To be called when a slot's columns or the slots themselves have changed. */
  changed(): void {
    this.#postings = null
    this.#firstOfRun = undefined
  }

  removeAt(place: number): void {
    this.slots.copyWithin(place, place + 1, this.size)
    this.size--
    this.changed()
  }
}
