import type { Columns } from '../columns/columns.ts'

/** Sums of incidents by cell: their number, mean coordinates, bounding box and newest incident. */
export class CellSums {
  readonly counts: Int32Array
  readonly sumX: Float64Array
  readonly sumY: Float64Array
  readonly west: Int32Array
  readonly north: Int32Array
  readonly east: Int32Array
  readonly south: Int32Array
  /** Slots. */
  readonly newest: Uint32Array

  constructor(cells: number) {
    this.counts = new Int32Array(cells)
    this.sumX = new Float64Array(cells)
    this.sumY = new Float64Array(cells)
    this.west = new Int32Array(cells).fill(0x7fffffff)
    this.north = new Int32Array(cells).fill(0x7fffffff)
    this.east = new Int32Array(cells).fill(-1)
    this.south = new Int32Array(cells).fill(-1)
    this.newest = new Uint32Array(cells)
  }

  /** Adds each slot to its cell. Slots must come in published order, within and across calls. */
  addSlots(slots: Uint32Array, cells: Int32Array, count: number, { x, y }: Columns): void {
    const { counts, sumX, sumY, west, north, east, south, newest } = this
    for (let index = 0; index < count; index++) {
      const slot = slots[index]!
      const cell = cells[index]!
      const atX = x[slot]!
      const atY = y[slot]!
      counts[cell]!++
      sumX[cell]! += atX
      sumY[cell]! += atY
      if (atX < west[cell]!) west[cell] = atX
      if (atX > east[cell]!) east[cell] = atX
      if (atY < north[cell]!) north[cell] = atY
      if (atY > south[cell]!) south[cell] = atY
      newest[cell] = slot
    }
  }

  /** Adds cell `other` of `others` to `cell`. */
  addCell(cell: number, others: CellSums, other: number, columns: Columns): void {
    const newest = others.newest[other]!
    if (this.counts[cell] === 0 || columns.compare(newest, this.newest[cell]!) > 0) this.newest[cell] = newest
    this.counts[cell]! += others.counts[other]!
    this.sumX[cell]! += others.sumX[other]!
    this.sumY[cell]! += others.sumY[other]!
    this.west[cell] = Math.min(this.west[cell]!, others.west[other]!)
    this.north[cell] = Math.min(this.north[cell]!, others.north[other]!)
    this.east[cell] = Math.max(this.east[cell]!, others.east[other]!)
    this.south[cell] = Math.max(this.south[cell]!, others.south[other]!)
  }
}
