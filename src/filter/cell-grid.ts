import type { Box } from '../lib/geometry.ts'

// Exceeds Nigeria and its waters. Points outside fall into edge cells; an exact test follows.
const WEST = 2
const SOUTH = 3
const CELLS_PER_DEGREE = 4
const COLUMNS = 13 * CELLS_PER_DEGREE
const ROWS = 11.5 * CELLS_PER_DEGREE

export const CELLS = COLUMNS * ROWS

function column(lng: number): number {
  return Math.min(COLUMNS - 1, Math.max(0, Math.floor((lng - WEST) * CELLS_PER_DEGREE)))
}

function row(lat: number): number {
  return Math.min(ROWS - 1, Math.max(0, Math.floor((lat - SOUTH) * CELLS_PER_DEGREE)))
}

export function cellOf(lat: number, lng: number): number {
  return row(lat) * COLUMNS + column(lng)
}

export function cellsIn(box: Box): number[] {
  const cells: number[] = []
  for (let up = row(box.south); up <= row(box.north); up++) {
    for (let across = column(box.west); across <= column(box.east); across++) cells.push(up * COLUMNS + across)
  }
  return cells
}

/** A box around the cell's points; null for edge cells, which hold outside points. */
export function cellBox(cell: number): Box | null {
  const [up, across] = [Math.floor(cell / COLUMNS), cell % COLUMNS]
  if (up === 0 || up === ROWS - 1 || across === 0 || across === COLUMNS - 1) return null
  const [south, west] = [SOUTH + up / CELLS_PER_DEGREE, WEST + across / CELLS_PER_DEGREE]
  return { west, south, east: west + 1 / CELLS_PER_DEGREE, north: south + 1 / CELLS_PER_DEGREE }
}

/** Within `HALF_CELL_KM` of the cell's points; null for edge cells. */
export function cellCentre(cell: number): { readonly lat: number; readonly lng: number } | null {
  const box = cellBox(cell)
  return box && { lat: (box.south + box.north) / 2, lng: (box.west + box.east) / 2 }
}

/** Half a cell's diagonal at the equator, where cells are widest, rounded up. */
export const HALF_CELL_KM = 20
