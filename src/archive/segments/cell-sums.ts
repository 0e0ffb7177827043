import type { Columns } from '../columns/columns.ts'

/** Incidents added up by spot, a number: how many they are, where on average, within which box, and which is the newest. */
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

  constructor(spots: number) {
    this.counts = new Int32Array(spots)
    this.sumX = new Float64Array(spots)
    this.sumY = new Float64Array(spots)
    this.west = new Int32Array(spots).fill(0x7fffffff)
    this.north = new Int32Array(spots).fill(0x7fffffff)
    this.east = new Int32Array(spots).fill(-1)
    this.south = new Int32Array(spots).fill(-1)
    this.newest = new Uint32Array(spots)
  }

  /** Adds each slot to its spot. Slots must come in published order, from call to call too. */
  add(slots: Uint32Array, spots: Int32Array, count: number, { x, y }: Columns): void {
    const { counts, sumX, sumY, west, north, east, south, newest } = this
    for (let index = 0; index < count; index++) {
      const slot = slots[index]!
      const spot = spots[index]!
      const atX = x[slot]!
      const atY = y[slot]!
      counts[spot]!++
      sumX[spot]! += atX
      sumY[spot]! += atY
      if (atX < west[spot]!) west[spot] = atX
      if (atX > east[spot]!) east[spot] = atX
      if (atY < north[spot]!) north[spot] = atY
      if (atY > south[spot]!) south[spot] = atY
      newest[spot] = slot
    }
  }

  /** Adds a spot of others. */
  addSpot(spot: number, others: CellSums, other: number, columns: Columns): void {
    const newest = others.newest[other]!
    if (this.counts[spot] === 0 || columns.compare(newest, this.newest[spot]!) > 0) this.newest[spot] = newest
    this.counts[spot]! += others.counts[other]!
    this.sumX[spot]! += others.sumX[other]!
    this.sumY[spot]! += others.sumY[other]!
    this.west[spot] = Math.min(this.west[spot]!, others.west[other]!)
    this.north[spot] = Math.min(this.north[spot]!, others.north[other]!)
    this.east[spot] = Math.max(this.east[spot]!, others.east[other]!)
    this.south[spot] = Math.max(this.south[spot]!, others.south[other]!)
  }
}
