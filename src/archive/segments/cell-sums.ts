import { PRECISIONS } from '../../domain/incident.ts'
import type { Columns } from '../columns/columns.ts'
import { SEGMENT_CAPACITY } from './postings.ts'

/** An area that the incidents of a cell do not share, or of a cell without incidents. */
export const NO_AREA = -1
const MIXED_AREAS = -2

/** From this index in `PRECISIONS` on, only the LGA or the state is known. */
const FIRST_IMPRECISE = PRECISIONS.indexOf('lga')

/** Shared by all sums, so they hold nothing from one call to the next. */
const ends = new Int32Array(SEGMENT_CAPACITY + 1)
const sorted = new Uint32Array(SEGMENT_CAPACITY)

/**
 * Sums of incidents by cell: their number, mean coordinates, bounding box, newest incident, how
 * many have no precise place, and the LGA and the state if they share it.
 */
export class CellSums {
  readonly counts: Int32Array
  readonly sumX: Float64Array
  readonly sumY: Float64Array
  readonly west: Int32Array
  readonly north: Int32Array
  readonly east: Int32Array
  readonly south: Int32Array
  /** Slots; the newest by publication. */
  readonly newest: Uint32Array
  readonly imprecise: Int32Array
  /** The latest time of occurrence, in ms. */
  readonly newestOccurredAt: Float64Array
  readonly #lga: Int32Array
  readonly #state: Int32Array

  constructor(cells: number) {
    this.counts = new Int32Array(cells)
    this.sumX = new Float64Array(cells)
    this.sumY = new Float64Array(cells)
    this.west = new Int32Array(cells).fill(0x7fffffff)
    this.north = new Int32Array(cells).fill(0x7fffffff)
    this.east = new Int32Array(cells).fill(-1)
    this.south = new Int32Array(cells).fill(-1)
    this.newest = new Uint32Array(cells)
    this.imprecise = new Int32Array(cells)
    this.newestOccurredAt = new Float64Array(cells).fill(Number.NEGATIVE_INFINITY)
    this.#lga = new Int32Array(cells).fill(NO_AREA)
    this.#state = new Int32Array(cells).fill(NO_AREA)
  }

  /**
   * Adds each slot to its cell. Slots must come in published order, within and across calls. They are
   * sorted by cell first: the sums of one cell then stay in registers while its slots are read.
   */
  addSlots(slots: Uint32Array, cells: Int32Array, count: number, columns: Columns): void {
    const total = this.counts.length
    ends.fill(0, 0, total + 1)
    for (let index = 0; index < count; index++) ends[cells[index]! + 1]!++
    for (let cell = 0; cell < total; cell++) ends[cell + 1]! += ends[cell]!
    for (let index = 0; index < count; index++) sorted[ends[cells[index]!]!++] = slots[index]!
    for (let cell = 0, start = 0; cell < total; cell++) {
      const end = ends[cell]!
      if (end > start) this.#addToCell(cell, start, end, columns)
      start = end
    }
  }

  #addToCell(cell: number, start: number, end: number, columns: Columns): void {
    const { x, y, occurredAt, precision } = columns
    let [sumX, sumY, imprecise] = [0, 0, 0]
    let [west, east, north, south] = [this.west[cell]!, this.east[cell]!, this.north[cell]!, this.south[cell]!]
    let newestOccurredAt = this.newestOccurredAt[cell]!
    for (let index = start; index < end; index++) {
      const slot = sorted[index]!
      const atX = x[slot]!
      const atY = y[slot]!
      sumX += atX
      sumY += atY
      if (atX < west) west = atX
      if (atX > east) east = atX
      if (atY < north) north = atY
      if (atY > south) south = atY
      if (precision[slot]! >= FIRST_IMPRECISE) imprecise++
      if (occurredAt[slot]! > newestOccurredAt) newestOccurredAt = occurredAt[slot]!
    }
    this.counts[cell]! += end - start
    this.sumX[cell]! += sumX
    this.sumY[cell]! += sumY
    this.west[cell] = west
    this.east[cell] = east
    this.north[cell] = north
    this.south[cell] = south
    this.newest[cell] = sorted[end - 1]!
    this.imprecise[cell]! += imprecise
    this.newestOccurredAt[cell] = newestOccurredAt
    addAreas(this.#state, cell, start, end, columns.state)
    addAreas(this.#lga, cell, start, end, columns.lga)
  }

  /** Adds cell `other` of `others`, which has incidents; the newest of them is newer than those of `cell`. */
  addNewerCell(cell: number, others: CellSums, other: number): void {
    this.newest[cell] = others.newest[other]!
    addArea(this.#state, cell, others.#state[other]!)
    addArea(this.#lga, cell, others.#lga[other]!)
    this.counts[cell]! += others.counts[other]!
    this.sumX[cell]! += others.sumX[other]!
    this.sumY[cell]! += others.sumY[other]!
    if (others.west[other]! < this.west[cell]!) this.west[cell] = others.west[other]!
    if (others.east[other]! > this.east[cell]!) this.east[cell] = others.east[other]!
    if (others.north[other]! < this.north[cell]!) this.north[cell] = others.north[other]!
    if (others.south[other]! > this.south[cell]!) this.south[cell] = others.south[other]!
    this.imprecise[cell]! += others.imprecise[other]!
    if (others.newestOccurredAt[other]! > this.newestOccurredAt[cell]!)
      this.newestOccurredAt[cell] = others.newestOccurredAt[other]!
  }

  /** The number of the LGA that all incidents of the cell have in common; else `NO_AREA`. */
  sharedLga(cell: number): number {
    return Math.max(NO_AREA, this.#lga[cell]!)
  }

  /** The number of the state that all incidents of the cell have in common; else `NO_AREA`. */
  sharedState(cell: number): number {
    return Math.max(NO_AREA, this.#state[cell]!)
  }
}

/** Ends at the first area that differs: most cells with many incidents have several. */
function addAreas(areas: Int32Array, cell: number, start: number, end: number, column: Uint8Array | Uint16Array): void {
  for (let index = start; index < end && areas[cell] !== MIXED_AREAS; index++)
    addArea(areas, cell, column[sorted[index]!]!)
}

function addArea(areas: Int32Array, cell: number, area: number): void {
  const shared = areas[cell]!
  if (shared === area || shared === MIXED_AREAS) return
  areas[cell] = shared === NO_AREA ? area : MIXED_AREAS
}
