import { PRECISIONS } from '../../domain/incident.ts'
import type { Columns } from '../columns/columns.ts'

/** An area that the incidents of a cell do not share, or of a cell without incidents. */
export const NO_AREA = -1
const MIXED_AREAS = -2

/** From this index in `PRECISIONS` on, only the LGA or the state is known. */
const FIRST_IMPRECISE = PRECISIONS.indexOf('lga')

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
  readonly #state: Int16Array

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
    this.#state = new Int16Array(cells).fill(NO_AREA)
  }

  /** Adds each slot to its cell. Slots must come in published order, within and across calls. */
  addSlots(slots: Uint32Array, cells: Int32Array, count: number, columns: Columns): void {
    const { x, y, occurredAt, precision, lga, state } = columns
    const { counts, sumX, sumY, west, north, east, south, newest, imprecise, newestOccurredAt } = this
    const [sharedLga, sharedState] = [this.#lga, this.#state]
    for (let index = 0; index < count; index++) {
      const slot = slots[index]!
      const cell = cells[index]!
      const atX = x[slot]!
      const atY = y[slot]!
      if (counts[cell]!++ === 0) {
        sharedLga[cell] = lga[slot]!
        sharedState[cell] = state[slot]!
      } else {
        if (sharedLga[cell] !== lga[slot]) sharedLga[cell] = MIXED_AREAS
        if (sharedState[cell] !== state[slot]) sharedState[cell] = MIXED_AREAS
      }
      sumX[cell]! += atX
      sumY[cell]! += atY
      if (atX < west[cell]!) west[cell] = atX
      if (atX > east[cell]!) east[cell] = atX
      if (atY < north[cell]!) north[cell] = atY
      if (atY > south[cell]!) south[cell] = atY
      newest[cell] = slot
      if (precision[slot]! >= FIRST_IMPRECISE) imprecise[cell]!++
      if (occurredAt[slot]! > newestOccurredAt[cell]!) newestOccurredAt[cell] = occurredAt[slot]!
    }
  }

  /** Adds cell `other` of `others`, which must have incidents, to `cell`. */
  addCell(cell: number, others: CellSums, other: number, columns: Columns): void {
    const newest = others.newest[other]!
    if (this.counts[cell] === 0 || columns.compare(newest, this.newest[cell]!) > 0) this.newest[cell] = newest
    addArea(this.#lga, cell, others.#lga[other]!)
    addArea(this.#state, cell, others.#state[other]!)
    this.counts[cell]! += others.counts[other]!
    this.sumX[cell]! += others.sumX[other]!
    this.sumY[cell]! += others.sumY[other]!
    this.west[cell] = Math.min(this.west[cell]!, others.west[other]!)
    this.north[cell] = Math.min(this.north[cell]!, others.north[other]!)
    this.east[cell] = Math.max(this.east[cell]!, others.east[other]!)
    this.south[cell] = Math.max(this.south[cell]!, others.south[other]!)
    this.imprecise[cell]! += others.imprecise[other]!
    this.newestOccurredAt[cell] = Math.max(this.newestOccurredAt[cell]!, others.newestOccurredAt[other]!)
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

function addArea(areas: Int32Array | Int16Array, cell: number, area: number): void {
  if (areas[cell] === NO_AREA) areas[cell] = area
  else if (areas[cell] !== area) areas[cell] = MIXED_AREAS
}
