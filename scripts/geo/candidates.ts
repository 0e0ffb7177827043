import { MEAN_KM_PER_DEGREE } from '../../src/geo/data.ts'
import type { Extent } from './extents.ts'
import { distancesTo, type Grid } from './grid.ts'

/** How strongly each thing is believed. Found by trying, on the whole country at once; none is for a single LGA. */
export const BELIEF = {
  /** A cell outside the LGA's state costs this for each km and km²: the state polygons are off by 2 km in the median … */
  state: 0.1,
  /** … and by up to 20 km in places, so that beyond this many km a fifth is charged. */
  stateReach: 4,
  /** No cell belongs to a state whose polygon is farther than this. */
  stateFarthest: 25,
  /** The middle of a box belongs to its LGA sooner than a corner. */
  shape: 0.06,
  shapePower: 3,
  /** What lies around a place belongs to the place's LGA, fading over this share of the box's size. */
  around: 0.06,
  aroundReach: 0.15,
  /** The place itself, and what is built within 2 km of it. */
  place: 8,
  placeKm: 2,
} as const

/** For each cell the labels it may carry and what each costs: those of cell `c` stand from `first[c]` to `first[c + 1]`. */
export interface Candidates {
  readonly first: Int32Array
  readonly labels: Int16Array
  readonly costs: Float32Array
  /** The label of what is not Nigeria. */
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
        if (distances[cell]! > BELIEF.stateFarthest) continue
        const cost = strayCost(distances[cell]!) + shapeCost(extent, row, column) - placeGain(grid, extent, row, column)
        byCell[cell]!.push({ label, cost: cost * square })
      }
    }
  }
  for (const [cell, candidates] of byCell.entries()) {
    const depth = toState[states]![cell]!
    if (candidates.length === 0 || depth <= BELIEF.stateFarthest) {
      candidates.push({ label: outside, cost: (strayCost(depth) + BELIEF.shape / 2) * square })
    }
  }
  return { ...flatten(byCell), outside }
}

function strayCost(km: number): number {
  const near = Math.min(km, BELIEF.stateReach)
  return BELIEF.state * (near + (km - near) / 5)
}

function shapeCost(extent: Extent, row: number, column: number): number {
  return BELIEF.shape * offCentre(extent, row, column)
}

/** 0 in the middle, 1 at the middle of a side, 2 in a corner. */
export function offCentre(extent: Extent, row: number, column: number): number {
  const { middleColumn, middleRow } = extent
  const width = column < middleColumn ? middleColumn - extent.firstColumn + 0.5 : extent.lastColumn + 0.5 - middleColumn
  const height = row < middleRow ? middleRow - extent.firstRow + 0.5 : extent.lastRow + 0.5 - middleRow
  const across = Math.abs(column - middleColumn) / Math.max(width, 0.5)
  const along = Math.abs(row - middleRow) / Math.max(height, 0.5)
  return across ** BELIEF.shapePower + along ** BELIEF.shapePower
}

function placeGain(
  grid: Grid,
  { anchors, box: [west, south, east, north] }: Extent,
  row: number,
  column: number,
): number {
  const size = Math.sqrt((east - west) * (north - south))
  let around = 0
  let at = 0
  for (const { lat, lng } of anchors) {
    const placeColumn = (lng - grid.west) / grid.cell - 0.5
    const placeRow = (lat - grid.south) / grid.cell - 0.5
    const degrees = Math.hypot(column - placeColumn, row - placeRow) * grid.cell
    around = Math.max(around, Math.exp(-degrees / (BELIEF.aroundReach * size)))
    if (Math.round(placeColumn) === column && Math.round(placeRow) === row) at += 3
    else if (degrees * MEAN_KM_PER_DEGREE < BELIEF.placeKm)
      at += Math.max(0.2, 1 - (degrees * MEAN_KM_PER_DEGREE) / BELIEF.placeKm)
  }
  return BELIEF.around * around + (BELIEF.place * at) / 5
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
