import { SEVERITIES } from '../../domain/taxonomy.ts'
import type { Columns } from '../columns/columns.ts'
import { CellSums } from '../segments/cell-sums.ts'
import { SEGMENT_CAPACITY } from '../segments/postings.ts'
import { CELL_ZOOM } from '../segments/summaries.ts'

/** A tile is drawn 512 pixels wide: cells of 64 keep rings from lying on one another. */
const CELL_BITS = 3
const CELLS = 2 ** (2 * CELL_BITS)
const MASK = 2 ** CELL_BITS - 1

/** Up to this zoom, a segment's spots each lie in one cell. */
export const MAX_CELL_SUMS_ZOOM = CELL_ZOOM - CELL_BITS

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

const spotsOfSlots = new Int32Array(SEGMENT_CAPACITY)

/**
 * Adds incidents of one tile up by cells of a grid, and by severity within each: they are wanted apart, and where all lie in one cell, as at
 * zoom 0, the processor need not wait for each sum before it can add the next.
 */
export class Clusters {
  readonly #columns: Columns
  /** Shifted by this, a step tells its cell. */
  readonly #shift: number
  readonly #sums = new CellSums(CELLS * SEVERITIES.length)

  constructor(columns: Columns, tileShift: number) {
    this.#columns = columns
    this.#shift = tileShift - CELL_BITS
  }

  /** Slots must come in published order, from call to call too. */
  add(slots: Uint32Array, count: number): void {
    this.#place(slots, count)
    this.#sums.add(slots, spotsOfSlots, count, this.#columns)
  }

  /** The same for some of the spots by which a segment's incidents are added up, up to `MAX_CELL_SUMS_ZOOM`. */
  addSpots(spots: CellSums, chosen: readonly number[]): void {
    // Where the newest of a spot lies, all of it does.
    this.#place(spots.newest, spots.newest.length)
    for (const spot of chosen) this.#sums.addSpot(spotsOfSlots[spot]!, spots, spot, this.#columns)
  }

  #place(slots: Uint32Array, count: number): void {
    const { x, y, severity } = this.#columns
    const shift = this.#shift
    for (let index = 0; index < count; index++) {
      const slot = slots[index]!
      const cell = (((y[slot]! >> shift) & MASK) << CELL_BITS) | ((x[slot]! >> shift) & MASK)
      spotsOfSlots[index] = (cell << 2) | severity[slot]!
    }
  }

  *[Symbol.iterator](): Generator<Cluster> {
    for (let cell = 0; cell < CELLS; cell++) {
      const cluster = this.#clusterIn(cell)
      if (cluster !== null) yield cluster
    }
  }

  #clusterIn(cell: number): Cluster | null {
    const sums = this.#sums
    const all = SEVERITIES.map((_, severity) => (cell << 2) | severity)
    const spots = all.filter((spot) => sums.counts[spot]! > 0)
    if (spots.length === 0) return null
    const of = (column: Float64Array | Int32Array | Uint32Array) => spots.map((spot) => column[spot]!)
    const count = sum(of(sums.counts))
    const newestSlot = of(sums.newest).reduce((one, other) => (this.#columns.compare(one, other) > 0 ? one : other))
    return {
      count,
      bySeverity: all.map((spot) => sums.counts[spot]!),
      x: sum(of(sums.sumX)) / count,
      y: sum(of(sums.sumY)) / count,
      west: Math.min(...of(sums.west)),
      north: Math.min(...of(sums.north)),
      east: Math.max(...of(sums.east)),
      south: Math.max(...of(sums.south)),
      newest: this.#columns.publishedAt[newestSlot]!,
      newestSlot,
    }
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((one, other) => one + other, 0)
}
