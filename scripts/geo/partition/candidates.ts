import { MEAN_KM_PER_DEGREE } from '../../../src/geo/data.ts'
import type { Extent } from './extents.ts'
import { distancesTo, type Grid } from './grid.ts'

/** Weights of the evidence, tuned by trial on the whole country; none is for a single LGA. */
export const WEIGHTS = {
  /**
   * Cost per km and km² of a cell outside the LGA's state. The state polygons have a median error
   * of 2 km.
   */
  state: 0.1,
  /** Beyond this many km a fifth is charged, because the error reaches 20 km in places. */
  stateReach: 4,
  /** Largest distance in km of a cell from its state's polygon. */
  stateFarthest: 25,
  /** Cost of being off the middle of the LGA's box. */
  shape: 0.06,
  shapePower: 3,
  /** Gain near a known place of the LGA, fading over `aroundReach` of the box's size. */
  around: 0.06,
  aroundReach: 0.15,
  /** Gain at the place itself and within `placeKm` of it. */
  place: 8,
  placeKm: 2,
} as const

/**
 * Possible labels of each cell with their costs: those of cell `c` are at `first[c]` to `first[c +
 * 1]`.
 */
export interface Candidates {
  readonly first: Int32Array
  readonly labels: Int16Array
  readonly costs: Float32Array
  /** Label of cells outside Nigeria. */
  readonly outside: number
}

export function candidatesOf(
  grid: Grid,
  stateNumbers: Int16Array,
  states: number,
  extents: readonly Extent[],
): Candidates {
  const { columns, rows } = grid
  const outside = extents.length
  const byCell: { label: number; cost: number }[][] = Array.from({ length: columns * rows }, () => [])
  const toState = Array.from({ length: states + 1 }, (_, number) => distancesTo(grid, stateNumbers, number))
  const square = (grid.cell * MEAN_KM_PER_DEGREE) ** 2
  for (const [label, extent] of extents.entries()) {
    const distances = toState[extent.state]!
    for (let row = extent.firstRow; row <= Math.min(rows - 1, extent.lastRow); row++) {
      for (let column = extent.firstColumn; column <= Math.min(columns - 1, extent.lastColumn); column++) {
        const cell = row * columns + column
        if (distances[cell]! > WEIGHTS.stateFarthest) continue
        const cost = strayCost(distances[cell]!) + shapeCost(extent, row, column) - placeGain(grid, extent, row, column)
        byCell[cell]!.push({ label, cost: cost * square })
      }
    }
  }
  for (const [cell, candidates] of byCell.entries()) {
    const depth = toState[states]![cell]!
    if (candidates.length === 0 || depth <= WEIGHTS.stateFarthest) {
      candidates.push({ label: outside, cost: (strayCost(depth) + WEIGHTS.shape / 2) * square })
    }
  }
  return { ...flatten(byCell), outside }
}

function strayCost(km: number): number {
  const near = Math.min(km, WEIGHTS.stateReach)
  return WEIGHTS.state * (near + (km - near) / 5)
}

function shapeCost(extent: Extent, row: number, column: number): number {
  return WEIGHTS.shape * offCentre(extent, row, column)
}

/** 0 in the middle, 1 at the middle of a side, 2 in a corner. */
export function offCentre(extent: Extent, row: number, column: number): number {
  const { middleColumn, middleRow } = extent
  const width = column < middleColumn ? middleColumn - extent.firstColumn + 0.5 : extent.lastColumn + 0.5 - middleColumn
  const height = row < middleRow ? middleRow - extent.firstRow + 0.5 : extent.lastRow + 0.5 - middleRow
  const across = Math.abs(column - middleColumn) / Math.max(width, 0.5)
  const along = Math.abs(row - middleRow) / Math.max(height, 0.5)
  return across ** WEIGHTS.shapePower + along ** WEIGHTS.shapePower
}

function placeGain(
  grid: Grid,
  { knownPlaces, box: [west, south, east, north] }: Extent,
  row: number,
  column: number,
): number {
  const size = Math.sqrt((east - west) * (north - south))
  let around = 0
  let at = 0
  for (const { lat, lng } of knownPlaces) {
    const placeColumn = (lng - grid.west) / grid.cell - 0.5
    const placeRow = (lat - grid.south) / grid.cell - 0.5
    const degrees = Math.hypot(column - placeColumn, row - placeRow) * grid.cell
    around = Math.max(around, Math.exp(-degrees / (WEIGHTS.aroundReach * size)))
    if (Math.round(placeColumn) === column && Math.round(placeRow) === row) at += 3
    else if (degrees * MEAN_KM_PER_DEGREE < WEIGHTS.placeKm)
      at += Math.max(0.2, 1 - (degrees * MEAN_KM_PER_DEGREE) / WEIGHTS.placeKm)
  }
  return WEIGHTS.around * around + (WEIGHTS.place * at) / 5
}

function flatten(byCell: readonly { label: number; cost: number }[][]): Omit<Candidates, 'outside'> {
  const total = byCell.reduce((sum, candidates) => sum + candidates.length, 0)
  const first = new Int32Array(byCell.length + 1)
  const labels = new Int16Array(total)
  const costs = new Float32Array(total)
  let next = 0
  for (const [cell, candidates] of byCell.entries()) {
    first[cell] = next
    for (const { label, cost } of candidates) {
      labels[next] = label
      costs[next] = cost
      next++
    }
  }
  first[byCell.length] = next
  return { first, labels, costs }
}
