import { CELLS } from '../../filter/cell-grid.ts'
import type { Columns } from '../columns/columns.ts'
import { boundsOf, type SegmentBounds } from './bounds.ts'
import { buildPostings, type Postings, SEGMENT_CAPACITY } from './postings.ts'
import {
  CASUALTY_DIMENSIONS,
  type CasualtyDimension,
  type CasualtySummary,
  casualtySummaryOf,
  cellsOf,
  type SegmentCells,
} from './summaries.ts'

/** The columns that have postings. */
export type Dimension = 'state' | 'lga' | 'type' | 'severity' | 'cell'

/** Consecutive incidents in published order, with postings for filters and sums for statistics. */
export class Segment {
  readonly slots = new Uint32Array(SEGMENT_CAPACITY)
  /** When it was created, in generations of `Pins`. */
  readonly createdAt: number
  size = 0
  #postings: Record<Dimension, Postings> | null = null
  #cells: SegmentCells | null = null
  #bounds: SegmentBounds | null = null
  #casualtySummaries: Partial<Record<CasualtyDimension, CasualtySummary>> = {}
  #firstOfSlotRun: number | null | undefined

  constructor(createdAt: number) {
    this.createdAt = createdAt
  }

  setSlots(slots: Uint32Array): void {
    this.slots.set(slots)
    this.size = slots.length
    this.invalidate()
  }

  get last(): number {
    return this.slots[this.size - 1]!
  }

  /** Builds everything that is otherwise built on first use. */
  buildIndexes(columns: Columns): void {
    this.postings(columns)
    this.cells(columns)
    this.bounds(columns)
    for (const dimension of CASUALTY_DIMENSIONS) this.casualtySummary(columns, dimension)
  }

  /** Built on the first use after a change, so that a burst of arrivals pays once. */
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

  cells(columns: Columns): SegmentCells {
    this.#cells ??= cellsOf(this.slots.subarray(0, this.size), this.bounds(columns), columns)
    return this.#cells
  }

  bounds(columns: Columns): SegmentBounds {
    this.#bounds ??= boundsOf(this.slots.subarray(0, this.size), columns)
    return this.#bounds
  }

  casualtySummary(columns: Columns, dimension: CasualtyDimension): CasualtySummary {
    this.#casualtySummaries[dimension] ??= casualtySummaryOf(this.slots.subarray(0, this.size), columns, dimension)
    return this.#casualtySummaries[dimension]
  }

  /**
   * The first slot if the slots are consecutive, as after a start: an offset then gives its slot
   * without a read from memory. Null if arrivals out of order have mixed them.
   */
  get firstOfSlotRun(): number | null {
    if (this.#firstOfSlotRun === undefined) this.#firstOfSlotRun = this.#findSlotRun()
    return this.#firstOfSlotRun
  }

  #findSlotRun(): number | null {
    const first = this.slots[0]!
    for (let offset = 1; offset < this.size; offset++) if (this.slots[offset] !== first + offset) return null
    return first
  }

  /** Must be called after the slots or their columns have changed. */
  invalidate(): void {
    this.#postings = null
    this.#cells = null
    this.#bounds = null
    this.#casualtySummaries = {}
    this.#firstOfSlotRun = undefined
  }

  removeAt(offset: number): void {
    this.slots.copyWithin(offset, offset + 1, this.size)
    this.size--
    this.invalidate()
  }
}
