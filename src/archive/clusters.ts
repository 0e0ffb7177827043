import { SEVERITIES } from '../domain/taxonomy.ts'
import type { Columns } from './columns.ts'

/** A tile is drawn 512 pixels wide: cells of 64 keep rings from lying on one another. */
const CELL_BITS = 3
const CELLS = 2 ** (2 * CELL_BITS)

/** Incidents that are drawn as one, in steps of the world. */
export interface Cluster {
  readonly count: number
  /** How many of each severity, from least to worst. */
  readonly bySeverity: readonly number[]
  /** Their mean place. */
  readonly x: number
  readonly y: number
  /** The first and the last step that they stand on. */
  readonly west: number
  readonly north: number
  readonly east: number
  readonly south: number
  readonly newest: number
  readonly newestSlot: number
}

/** Adds incidents of one tile up by cells of a grid. */
export class Clusters {
  readonly #columns: Columns
  /** Shifted by this, a step tells its cell. */
  readonly #shift: number
  readonly #severities = new Uint32Array(CELLS * SEVERITIES.length)
  readonly #sumX = new Float64Array(CELLS)
  readonly #sumY = new Float64Array(CELLS)
  readonly #west = new Int32Array(CELLS).fill(0x7fffffff)
  readonly #north = new Int32Array(CELLS).fill(0x7fffffff)
  readonly #east = new Int32Array(CELLS).fill(-1)
  readonly #south = new Int32Array(CELLS).fill(-1)
  readonly #newest = new Int32Array(CELLS)

  constructor(columns: Columns, tileShift: number) {
    this.#columns = columns
    this.#shift = tileShift - CELL_BITS
  }

  /** Slots must come in published order. */
  add(slots: Uint32Array, count: number): void {
    const { x, y, severity } = this.#columns
    const shift = this.#shift
    const [sumX, sumY, west, north, east, south] = [
      this.#sumX,
      this.#sumY,
      this.#west,
      this.#north,
      this.#east,
      this.#south,
    ]
    const [severities, newest] = [this.#severities, this.#newest]
    const mask = 2 ** CELL_BITS - 1
    for (let index = 0; index < count; index++) {
      const slot = slots[index]!
      const atX = x[slot]!
      const atY = y[slot]!
      const cell = (((atY >> shift) & mask) << CELL_BITS) | ((atX >> shift) & mask)
      severities[(cell << 2) | severity[slot]!]!++
      sumX[cell]! += atX
      sumY[cell]! += atY
      if (atX < west[cell]!) west[cell] = atX
      if (atX > east[cell]!) east[cell] = atX
      if (atY < north[cell]!) north[cell] = atY
      if (atY > south[cell]!) south[cell] = atY
      newest[cell] = slot
    }
  }

  *[Symbol.iterator](): Generator<Cluster> {
    for (let cell = 0; cell < CELLS; cell++) {
      const bySeverity = [...this.#severities.subarray(cell * SEVERITIES.length, (cell + 1) * SEVERITIES.length)]
      const count = bySeverity.reduce((one, other) => one + other)
      if (count === 0) continue
      const newestSlot = this.#newest[cell]!
      yield {
        count,
        bySeverity,
        x: this.#sumX[cell]! / count,
        y: this.#sumY[cell]! / count,
        west: this.#west[cell]!,
        north: this.#north[cell]!,
        east: this.#east[cell]!,
        south: this.#south[cell]!,
        newest: this.#columns.publishedAt[newestSlot]!,
        newestSlot,
      }
    }
  }
}
