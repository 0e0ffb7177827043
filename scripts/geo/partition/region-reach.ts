import type { Extent } from './extents.ts'

/** Tracks how far each region reaches in its box, cell by cell: it should touch all four sides. */
export class RegionReach {
  readonly #extents: readonly Extent[]
  /** Number of the region's cells in each column and row of its box. */
  readonly #columns: Int32Array[]
  readonly #rows: Int32Array[]
  readonly #west: Int32Array
  readonly #east: Int32Array
  readonly #south: Int32Array
  readonly #north: Int32Array

  constructor(extents: readonly Extent[]) {
    this.#extents = extents
    this.#columns = extents.map(({ firstColumn, lastColumn }) => new Int32Array(lastColumn - firstColumn + 1))
    this.#rows = extents.map(({ firstRow, lastRow }) => new Int32Array(lastRow - firstRow + 1))
    this.#west = new Int32Array(extents.length).fill(1 << 20)
    this.#south = new Int32Array(extents.length).fill(1 << 20)
    this.#east = new Int32Array(extents.length).fill(-1)
    this.#north = new Int32Array(extents.length).fill(-1)
  }

  addCell(label: number, row: number, column: number): void {
    const { firstColumn, firstRow } = this.#extents[label]!
    const x = column - firstColumn
    const y = row - firstRow
    this.#columns[label]![x]!++
    this.#rows[label]![y]!++
    if (x < this.#west[label]!) this.#west[label] = x
    if (x > this.#east[label]!) this.#east[label] = x
    if (y < this.#south[label]!) this.#south[label] = y
    if (y > this.#north[label]!) this.#north[label] = y
  }

  removeCell(label: number, row: number, column: number): void {
    const { firstColumn, firstRow } = this.#extents[label]!
    const columns = this.#columns[label]!
    const rows = this.#rows[label]!
    const x = column - firstColumn
    const y = row - firstRow
    if (--columns[x]! === 0) {
      if (x === this.#west[label]) this.#west[label] = next(columns, x, 1)
      if (x === this.#east[label]) this.#east[label] = next(columns, x, -1)
    }
    if (--rows[y]! === 0) {
      if (y === this.#south[label]) this.#south[label] = next(rows, y, 1)
      if (y === this.#north[label]) this.#north[label] = next(rows, y, -1)
    }
  }

  /** Cells by which the region comes nearer to the sides of its box if it gains that cell. */
  gain(label: number, row: number, column: number): number {
    const { exact, firstColumn, firstRow } = this.#extents[label]!
    if (!exact) return 0
    const x = column - firstColumn
    const y = row - firstRow
    return (
      Math.max(0, this.#west[label]! - x) +
      Math.max(0, x - this.#east[label]!) +
      Math.max(0, this.#south[label]! - y) +
      Math.max(0, y - this.#north[label]!)
    )
  }

  /** Cells by which the region retreats from the sides of its box if it loses that cell. */
  loss(label: number, row: number, column: number): number {
    const { exact, firstColumn, firstRow } = this.#extents[label]!
    if (!exact) return 0
    const columns = this.#columns[label]!
    const rows = this.#rows[label]!
    const x = column - firstColumn
    const y = row - firstRow
    let lost = 0
    if (columns[x] === 1) {
      if (x === this.#west[label]) lost += next(columns, x, 1) - x
      if (x === this.#east[label]) lost += x - next(columns, x, -1)
    }
    if (rows[y] === 1) {
      if (y === this.#south[label]) lost += next(rows, y, 1) - y
      if (y === this.#north[label]) lost += y - next(rows, y, -1)
    }
    return lost
  }
}

/** Next index with a count above zero; there is one, because a region is never empty. */
function next(counts: Int32Array, from: number, step: number): number {
  let at = from + step
  while (at >= 0 && at < counts.length && counts[at] === 0) at += step
  return at
}
