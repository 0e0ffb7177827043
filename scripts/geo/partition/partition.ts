import type { Area } from '../../../src/geo/area-index.ts'
import { isInBox } from '../../../src/lib/geometry.ts'
import { type Candidates, candidatesOf } from './candidates.ts'
import type { Extent } from './extents.ts'
import { type Grid, gridOver, rasterise } from './grid.ts'
import { samplePartitions } from './sample.ts'
import { seedRegions } from './seed-regions.ts'

/** Counts of each candidate label in its cell, over all sampled partitions. */
export interface LabelCounts {
  readonly grid: Grid
  readonly candidates: Candidates
  readonly counts: Uint32Array
}

/**
 * Samples partitions with several seeds and counts the labels: the counts measure the certainty.
 */
export function countLabels(
  grid: Grid,
  states: readonly Area[],
  extents: readonly Extent[],
  seeds: readonly number[],
): LabelCounts {
  const stateNumbers = rasterise(grid, states, states.length)
  const candidates = candidatesOf(grid, stateNumbers, states.length, extents)
  const start = seedRegions(grid, candidates, extents)
  const { first, labels } = candidates
  const counts = new Uint32Array(labels.length)
  const count = (regions: Int16Array): void => {
    for (let cell = 0; cell < regions.length; cell++) {
      const region = regions[cell]
      for (let at = first[cell]!; at < first[cell + 1]!; at++) if (labels[at] === region) counts[at]!++
    }
  }
  for (const seed of seeds) samplePartitions(grid, candidates, extents, start, randomFrom(seed), count)
  return { grid, candidates, counts }
}

/** Weight of the label `outside`: most points that are reported as Nigerian are in Nigeria. */
const OUTSIDE_WEIGHT = 0.5

/**
 * Most likely label at a point, from the four cells around it, among those whose exact box contains
 * it.
 */
export function mostLikelyLabel(
  { grid, candidates, counts }: LabelCounts,
  extents: readonly Extent[],
  lat: number,
  lng: number,
): number {
  const { first, labels, outside } = candidates
  const x = (lng - grid.west) / grid.cell - 0.5
  const y = (lat - grid.south) / grid.cell - 0.5
  const column = Math.floor(x)
  const row = Math.floor(y)
  const shares = new Map<number, number>()
  for (const [right, up] of [
    [0, 0],
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    const weight = (right ? x - column : 1 - x + column) * (up ? y - row : 1 - y + row)
    if (column + right < 0 || row + up < 0 || column + right >= grid.columns || row + up >= grid.rows) continue
    const cell = (row + up) * grid.columns + column + right
    let total = 0
    for (let at = first[cell]!; at < first[cell + 1]!; at++) total += counts[at]!
    if (total === 0) continue
    for (let at = first[cell]!; at < first[cell + 1]!; at++) {
      const label = labels[at]!
      shares.set(label, (shares.get(label) ?? 0) + (weight * counts[at]!) / total)
    }
  }
  let best = outside
  let most = 0
  for (const [label, share] of shares) {
    const value = label === outside ? share * OUTSIDE_WEIGHT : fits(extents[label]!, lat, lng) ? share : 0
    if (value > most) {
      most = value
      best = label
    }
  }
  return best
}

function fits({ exact, box: [west, south, east, north] }: Extent, lat: number, lng: number): boolean {
  return !exact || isInBox({ west, south, east, north }, lat, lng)
}

/** Most likely label of each cell of a finer grid. */
export function labelCells(
  counts: LabelCounts,
  extents: readonly Extent[],
  cell: number,
): { grid: Grid; labels: Int16Array } {
  const grid = gridOver(cell)
  const labels = new Int16Array(grid.columns * grid.rows)
  for (let row = 0; row < grid.rows; row++) {
    for (let column = 0; column < grid.columns; column++) {
      const lat = grid.south + (row + 0.5) * cell
      labels[row * grid.columns + column] = mostLikelyLabel(counts, extents, lat, grid.west + (column + 0.5) * cell)
    }
  }
  const present = new Set(labels)
  for (const label of extents.keys()) if (!present.has(label)) assignBestCell(counts, label, grid, labels)
  return { grid, labels }
}

/**
 * A small LGA may be the most likely one in no cell: it gets the cell where it was counted most.
 */
function assignBestCell(
  { grid: sampled, candidates, counts }: LabelCounts,
  label: number,
  grid: Grid,
  labels: Int16Array,
): void {
  let best = 0
  let most = -1
  for (let cell = 0; cell < sampled.columns * sampled.rows; cell++) {
    for (let at = candidates.first[cell]!; at < candidates.first[cell + 1]!; at++) {
      if (candidates.labels[at] === label && counts[at]! > most) {
        most = counts[at]!
        best = cell
      }
    }
  }
  const times = Math.round(sampled.cell / grid.cell)
  const row = Math.floor(best / sampled.columns) * times
  const column = (best % sampled.columns) * times
  for (let up = 0; up < times; up++) {
    const start = (row + up) * grid.columns + column
    labels.fill(label, start, start + times)
  }
}

/** Mulberry32: the same seed gives the same data on every machine. */
function randomFrom(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
