import { CELLS } from '../../query/cell-grid.ts'
import type { Columns } from '../columns/columns.ts'
import type { CellSums } from './cell-sums.ts'
import { buildPostings, type Postings, SEGMENT_CAPACITY } from './postings.ts'
import {
  CASUALTY_DIMENSIONS,
  type CasualtyDimension,
  type CasualtySummary,
  casualtySummaryOf,
  cellSumsOf,
} from './summaries.ts'

/** The columns that have postings. */
export type Dimension = 'state' | 'lga' | 'type' | 'severity' | 'cell'

/** A run of incidents in published order, with postings for finding the few among them and sums for adding up the many. */
export class Segment {
  readonly slots = new Uint32Array(SEGMENT_CAPACITY)
  size = 0
  #postings: Record<Dimension, Postings> | null = null
  #spots: CellSums | null = null
  #tolls: Partial<Record<CasualtyDimension, CasualtySummary>> = {}
  #firstOfRun: number | null | undefined

  get last(): number {
    return this.slots[this.size - 1]!
  }

  /** Builds all that is built when first asked for. */
  prepare(columns: Columns): void {
    this.postings(columns)
    this.spots(columns)
    for (const dimension of CASUALTY_DIMENSIONS) this.tolls(columns, dimension)
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

  spots(columns: Columns): CellSums {
    this.#spots ??= cellSumsOf(this.slots.subarray(0, this.size), columns)
    return this.#spots
  }

  tolls(columns: Columns, dimension: CasualtyDimension): CasualtySummary {
    this.#tolls[dimension] ??= casualtySummaryOf(this.slots.subarray(0, this.size), columns, dimension)
    return this.#tolls[dimension]
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
    this.#spots = null
    this.#tolls = {}
    this.#firstOfRun = undefined
  }

  removeAt(place: number): void {
    this.slots.copyWithin(place, place + 1, this.size)
    this.size--
    this.changed()
  }
}
