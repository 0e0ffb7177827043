import { type Area, areaContains } from '../../../src/geo/area-index.ts'
import { MEAN_KM_PER_DEGREE } from '../../../src/geo/data.ts'

/** Square cells over Nigeria, counted from the south-west corner, row by row. */
export interface Grid {
  readonly west: number
  readonly south: number
  /** Side of a cell in degrees. */
  readonly cell: number
  readonly columns: number
  readonly rows: number
}

export function gridOver(cell: number): Grid {
  const [west, south, east, north] = [2.6, 4.2, 14.76, 13.96]
  return { west, south, cell, columns: Math.round((east - west) / cell), rows: Math.round((north - south) / cell) }
}

/** Number of the area that contains each cell's centre; `none` where none does. */
export function rasterise(grid: Grid, areas: readonly Area[], none: number): Int16Array {
  const numbers = new Int16Array(grid.columns * grid.rows).fill(none)
  for (const [number, area] of areas.entries()) {
    const { west, south, east, north } = area.box
    const lastRow = Math.min(grid.rows - 1, Math.ceil((north - grid.south) / grid.cell))
    const lastColumn = Math.min(grid.columns - 1, Math.ceil((east - grid.west) / grid.cell))
    for (let row = Math.max(0, Math.floor((south - grid.south) / grid.cell)); row <= lastRow; row++) {
      const lat = grid.south + (row + 0.5) * grid.cell
      for (let column = Math.max(0, Math.floor((west - grid.west) / grid.cell)); column <= lastColumn; column++) {
        if (areaContains(area, lat, grid.west + (column + 0.5) * grid.cell))
          numbers[row * grid.columns + column] = number
      }
    }
  }
  return numbers
}

/**
 * Distance in km from each cell to the nearest cell of that number: a chamfer transform, within 8
 * %.
 */
export function distancesTo(grid: Grid, numbers: Int16Array, number: number): Float32Array {
  const { columns, rows } = grid
  const straight = grid.cell * MEAN_KM_PER_DEGREE
  const diagonal = straight * Math.SQRT2
  const distances = new Float32Array(numbers.length)
  for (let cell = 0; cell < numbers.length; cell++) distances[cell] = numbers[cell] === number ? 0 : 1e6
  const relax = (cell: number, row: number, column: number, step: number): void => {
    const nextRow = row + step
    let least = distances[cell]!
    const before = column + step
    if (before >= 0 && before < columns) least = Math.min(least, distances[cell + step]! + straight)
    if (nextRow >= 0 && nextRow < rows) {
      const across = cell + step * columns
      least = Math.min(least, distances[across]! + straight)
      if (column > 0) least = Math.min(least, distances[across - 1]! + diagonal)
      if (column < columns - 1) least = Math.min(least, distances[across + 1]! + diagonal)
    }
    distances[cell] = least
  }
  for (let cell = 0; cell < numbers.length; cell++) relax(cell, Math.floor(cell / columns), cell % columns, -1)
  for (let cell = numbers.length - 1; cell >= 0; cell--) relax(cell, Math.floor(cell / columns), cell % columns, 1)
  return distances
}
