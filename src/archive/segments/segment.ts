import { CELLS } from '../../filter/cell-grid.ts'
import type { Columns, Position } from '../columns/columns.ts'
import { boundsOf, buildPostings, type Postings, SEGMENT_CAPACITY, type SegmentBounds } from './postings.ts'
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
  /** The generation of `Pins` in which it was created. */
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

/** All slots in published order, in one or more segments; only a sole segment may be empty. */
export class SegmentList {
  readonly segments: Segment[]
  /** The generation of `Pins` in which it was created. */
  readonly createdAt: number
  readonly #columns: Columns

  constructor(columns: Columns, segments: Segment[], createdAt: number) {
    this.#columns = columns
    this.segments = segments
    this.createdAt = createdAt
  }

  get first(): number | null {
    const segment = this.segments[0]!
    return segment.size === 0 ? null : segment.slots[0]!
  }

  get last(): number | null {
    const segment = this.segments.at(-1)!
    return segment.size === 0 ? null : segment.last
  }

  countBefore(time: number): number {
    const index = this.segmentFromTime(time)
    let count = 0
    for (let before = 0; before < index; before++) count += this.segments[before]!.size
    const segment = this.segments[index]
    return segment ? count + this.#offsetFrom(segment, time) : count
  }

  /** Returns the slots published from one time up to but excluding another, in order. */
  slotsBetween(from: number, to: number): Uint32Array {
    const slots = new Uint32Array(this.countBefore(to) - this.countBefore(from))
    for (let index = this.segmentFromTime(from), at = 0; at < slots.length; index++) {
      const segment = this.segments[index]!
      const run = segment.slots.subarray(this.#offsetFrom(segment, from), this.#offsetFrom(segment, to))
      slots.set(run, at)
      at += run.length
    }
    return slots
  }

  /** Returns the first segment that may hold a slot at or after the position. */
  segmentAtPosition(position: Position): number {
    return this.search((segment) => this.#columns.comparePosition(segment.last, position) < 0)
  }

  segmentFromTime(time: number): number {
    return this.search((segment) => this.#columns.publishedAt[segment.last]! < time)
  }

  /** Returns the first offset in the segment at which `compare` is not below 0. */
  offsetIn(segment: Segment, compare: (slot: number) => number): number {
    let low = 0
    let high = segment.size
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compare(segment.slots[middle]!) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Returns the index of the first segment that is not before. */
  search(isBefore: (segment: Segment) => boolean): number {
    let low = 0
    let high = this.segments.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const segment = this.segments[middle]!
      if (segment.size > 0 && isBefore(segment)) low = middle + 1
      else high = middle
    }
    return low
  }

  #offsetFrom(segment: Segment, time: number): number {
    return this.offsetIn(segment, (slot) => this.#columns.publishedAt[slot]! - time)
  }
}
