import { MEAN_KM_PER_DEGREE } from '../../../src/geo/data.ts'
import { Border } from './border.ts'
import type { Candidates } from './candidates.ts'
import type { Extent } from './extents.ts'
import type { Grid } from './grid.ts'
import { RegionReach } from './region-reach.ts'

export const SAMPLING = {
  /** Cost per pair of neighbouring cells in different regions: keeps borders short. */
  unlike: 0.6,
  /** Cost per km between a region and a side of its box: the boxes are exact. */
  awayKm: 3,
  sweeps: 800,
  /** Sweeps at falling temperature, before counting starts. */
  cooling: 300,
  hottest: 6,
  /** Above 1, because the weights overstate the certainty. */
  coolest: 2,
  /** Sweeps between two counts. */
  every: 4,
} as const

/**
 * Offsets of the eight neighbours in order around a cell; those that share a side have even
 * indices.
 */
function neighbourOffsets(columns: number): Int32Array {
  return Int32Array.of(1, 1 + columns, columns, columns - 1, -1, -1 - columns, -columns, 1 - columns)
}

/**
 * For each set of neighbours in the same region: 1 if the region stays connected without the cell.
 */
function connectedWithout(): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, set) => {
    let pieces = 0
    for (let side = 0; side < 8; side += 2) {
      if (!(set & (1 << side))) continue
      const before = (side + 7) & 7
      const beforeThat = (side + 6) & 7
      const joined = set & (1 << before) && set & (1 << beforeThat)
      if (!joined) pieces++
    }
    return pieces === 1 || set === 255 ? 1 : 0
  })
}

/**
 * Samples partitions by their likelihood (Metropolis): proposes to move one border cell at a time
 * into a neighbour's region. Calls `count` with sampled partitions; a cell's most frequent label is
 * its estimate.
 */
export function samplePartitions(
  grid: Grid,
  candidates: Candidates,
  extents: readonly Extent[],
  start: Int16Array,
  random: () => number,
  count: (regions: Int16Array) => void,
): void {
  const { columns } = grid
  const { first, labels, costs, outside } = candidates
  const regions = start.slice()
  const around = neighbourOffsets(columns)
  const staysConnected = connectedWithout()
  const away = SAMPLING.awayKm * grid.cell * MEAN_KM_PER_DEGREE
  const sizes = new Int32Array(extents.length + 1)
  const reach = new RegionReach(extents)
  for (const [cell, label] of regions.entries()) {
    sizes[label]!++
    if (label !== outside && allowed(cell, label)) reach.addCell(label, Math.floor(cell / columns), cell % columns)
  }
  const border = new Border(regions, columns)

  function allowed(cell: number, label: number): boolean {
    return costOf(cell, label) !== Infinity
  }

  function costOf(cell: number, label: number): number {
    for (let at = first[cell]!; at < first[cell + 1]!; at++) if (labels[at] === label) return costs[at]!
    return Infinity
  }

  function attempt(cell: number, temperature: number): void {
    const from = regions[cell]!
    const to = regions[cell + around[Math.floor(random() * 4) * 2]!]!
    if (to === from) return
    const toCost = costOf(cell, to)
    if (toCost === Infinity) return
    const fromCost = costOf(cell, from)
    let like = 0
    let unlike = 0
    for (let side = 0; side < 8; side++) {
      const region = regions[cell + around[side]!]
      const weight = side & 1 ? 0.5 : 1
      if (region === from) {
        like |= 1 << side
        unlike += weight
      } else if (region === to) unlike -= weight
    }
    if (from !== outside && (!staysConnected[like] || sizes[from] === 1)) return
    const column = cell % columns
    const row = (cell - column) / columns
    // A cell that was filled in without a box has infinite cost: any permitted region takes it.
    let change = fromCost === Infinity ? -Infinity : SAMPLING.unlike * unlike + toCost - fromCost
    if (to !== outside) change -= away * reach.gain(to, row, column)
    if (from !== outside && fromCost !== Infinity) change += away * reach.loss(from, row, column)
    if (change > 0 && random() >= Math.exp(-change / temperature)) return
    regions[cell] = to
    sizes[from]!--
    sizes[to]!++
    if (from !== outside && fromCost !== Infinity) reach.removeCell(from, row, column)
    if (to !== outside) reach.addCell(to, row, column)
    border.update(cell)
  }

  for (let sweep = 0; sweep < SAMPLING.sweeps; sweep++) {
    const temperature = Math.max(
      SAMPLING.coolest,
      SAMPLING.hottest + ((SAMPLING.coolest - SAMPLING.hottest) * sweep) / SAMPLING.cooling,
    )
    const attempts = border.size * 2
    for (let each = 0; each < attempts; each++) attempt(border.at(Math.floor(random() * border.size)), temperature)
    if (sweep >= SAMPLING.cooling && sweep % SAMPLING.every === 0) count(regions)
  }
}
