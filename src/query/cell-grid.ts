import type { Box } from '../lib/geometry/geometry.ts'

// A little more than Nigeria and its waters. What lies outside falls into the nearest edge cell, where the exact check
// still finds it.
const WEST = 2
const SOUTH = 3
const CELLS_PER_DEGREE = 4
const ACROSS = 13 * CELLS_PER_DEGREE
const UP = 11.5 * CELLS_PER_DEGREE

export const CELLS = ACROSS * UP

function column(lng: number): number {
  return Math.min(ACROSS - 1, Math.max(0, Math.floor((lng - WEST) * CELLS_PER_DEGREE)))
}

function row(lat: number): number {
  return Math.min(UP - 1, Math.max(0, Math.floor((lat - SOUTH) * CELLS_PER_DEGREE)))
}

export function cellOf(lat: number, lng: number): number {
  return row(lat) * ACROSS + column(lng)
}

/** The cells that may hold something of the box. */
export function cellsIn(box: Box): number[] {
  const cells: number[] = []
  for (let up = row(box.south); up <= row(box.north); up++) {
    for (let across = column(box.west); across <= column(box.east); across++) cells.push(up * ACROSS + across)
  }
  return cells
}

/** What lies in the cell lies within `HALF_CELL_KM` of here. Null at the grid's edge: what lies anywhere beyond it is in there too. */
export function cellCentre(cell: number): { readonly lat: number; readonly lng: number } | null {
  const [up, across] = [Math.floor(cell / ACROSS), cell % ACROSS]
  if (up === 0 || up === UP - 1 || across === 0 || across === ACROSS - 1) return null
  return { lat: SOUTH + (up + 0.5) / CELLS_PER_DEGREE, lng: WEST + (across + 0.5) / CELLS_PER_DEGREE }
}

/** Half a cell's diagonal at the equator, where cells are widest, rounded up. */
export const HALF_CELL_KM = 20
