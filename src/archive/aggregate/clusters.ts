import { SEVERITIES } from '../../domain/taxonomy.ts'
import type { Columns } from '../columns/columns.ts'
import { CellSums } from '../segments/cell-sums.ts'
import { SEGMENT_CAPACITY } from '../segments/postings.ts'
import { CELL_ZOOM } from '../segments/summaries.ts'

/** A tile is 512 pixels wide; an 8 × 8 grid, 64 pixels per cell, keeps rings from overlapping. */
const GRID_BITS = 3
const GRID_CELLS = 2 ** (2 * GRID_BITS)
const GRID_MASK = 2 ** GRID_BITS - 1

/** Up to this zoom, each cell of a segment's sums lies within one grid cell. */
export const MAX_CELL_SUMS_ZOOM = CELL_ZOOM - GRID_BITS

/** Incidents drawn as one ring, in Web Mercator coordinates. */
export interface Cluster {
  readonly count: number
  /** The number of incidents of each severity, from least to worst. */
  readonly bySeverity: readonly number[]
  /** The mean of their coordinates. */
  readonly x: number
  readonly y: number
  /** The smallest and largest coordinates among them. */
  readonly west: number
  readonly north: number
  readonly east: number
  readonly south: number
  readonly newest: number
  readonly newestSlot: number
}

/** Shared by all queries, so it holds nothing from one step to the next. */
const cellOfSlot = new Int32Array(SEGMENT_CAPACITY)

/**
 * Sums a tile's incidents by grid cell and severity. Separate sums also let the processor overlap
 * additions when all incidents lie in one grid cell, as at zoom 0.
 */
export class Clusters {
  readonly #columns: Columns
  /** A coordinate shifted by this gives its grid cell. */
  readonly #gridShift: number
  readonly #sums = new CellSums(GRID_CELLS * SEVERITIES.length)

  constructor(columns: Columns, tileShift: number) {
    this.#columns = columns
    this.#gridShift = tileShift - GRID_BITS
  }

  /** Slots must come in published order, within and across calls. */
  addSlots(slots: Uint32Array, count: number): void {
    this.#findCells(slots, count)
    this.#sums.addSlots(slots, cellOfSlot, count, this.#columns)
  }

  /** Adds the chosen cells of a segment's sums; valid up to `MAX_CELL_SUMS_ZOOM`. */
  addCells(cells: CellSums, chosen: readonly number[]): void {
    // All incidents of a cell lie in the same grid cell as its newest.
    this.#findCells(cells.newest, cells.newest.length)
    for (const cell of chosen) this.#sums.addCell(cellOfSlot[cell]!, cells, cell, this.#columns)
  }

  #findCells(slots: Uint32Array, count: number): void {
    const { x, y, severity } = this.#columns
    const shift = this.#gridShift
    for (let index = 0; index < count; index++) {
      const slot = slots[index]!
      const gridCell = (((y[slot]! >> shift) & GRID_MASK) << GRID_BITS) | ((x[slot]! >> shift) & GRID_MASK)
      cellOfSlot[index] = (gridCell << 2) | severity[slot]!
    }
  }

  *[Symbol.iterator](): Generator<Cluster> {
    for (let gridCell = 0; gridCell < GRID_CELLS; gridCell++) {
      const cluster = this.#clusterIn(gridCell)
      if (cluster !== null) yield cluster
    }
  }

  #clusterIn(gridCell: number): Cluster | null {
    const sums = this.#sums
    const all = SEVERITIES.map((_, severity) => (gridCell << 2) | severity)
    const cells = all.filter((cell) => sums.counts[cell]! > 0)
    if (cells.length === 0) return null
    const of = (column: Float64Array | Int32Array | Uint32Array) => cells.map((cell) => column[cell]!)
    const count = sum(of(sums.counts))
    const newestSlot = of(sums.newest).reduce((one, other) => (this.#columns.compare(one, other) > 0 ? one : other))
    return {
      count,
      bySeverity: all.map((cell) => sums.counts[cell]!),
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
