import { MEAN_KM_PER_DEGREE } from '../../src/geo/data.ts'
import { Border } from './border.ts'
import type { Candidates } from './candidates.ts'
import type { Extent } from './extents.ts'
import type { Grid } from './grid.ts'
import { Spans } from './region-reach.ts'

export const CHAIN = {
  /** What each pair of unlike neighbours costs: borders are short. */
  unlike: 0.6,
  /** What each km costs that a region stays away from a side of its box: the boxes are exact. */
  awayKm: 3,
  sweeps: 800,
  /** Sweeps at falling temperature before any is counted. */
  cooling: 300,
  hottest: 6,
  /** Above 1, for the beliefs are surer than they should be. */
  coolest: 2,
  /** Every so many sweeps the partition is counted. */
  every: 4,
} as const

/** The eight neighbours in a circle; those that share a side have even numbers. */
function circle(columns: number): Int32Array {
  return Int32Array.of(1, 1 + columns, columns, columns - 1, -1, -1 - columns, -columns, 1 - columns)
}

/** For each set of like neighbours around a cell: whether the region stays in one piece without the cell. */
function dispensable(): Uint8Array {
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
 * Draws partitions by their likelihood (Metropolis): cell by cell along the borders, a neighbour's region takes the cell over or does not.
 * Calls `count` with partitions as they come; what a cell is in most of them is its best guess.
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
  const around = circle(columns)
  const whole = dispensable()
  const away = CHAIN.awayKm * grid.cell * MEAN_KM_PER_DEGREE
  const sizes = new Int32Array(extents.length + 1)
  const spans = new Spans(extents)
  for (const [cell, label] of regions.entries()) {
    sizes[label]!++
    if (label !== outside && allowed(cell, label)) spans.add(label, Math.floor(cell / columns), cell % columns)
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
    if (from !== outside && (!whole[like] || sizes[from] === 1)) return
    const column = cell % columns
    const row = (cell - column) / columns
    // A cell that was filled in, for want of a box, has no cost: whoever may have it takes it.
    let change = fromCost === Infinity ? -Infinity : CHAIN.unlike * unlike + toCost - fromCost
    if (to !== outside) change -= away * spans.gain(to, row, column)
    if (from !== outside && fromCost !== Infinity) change += away * spans.loss(from, row, column)
    if (change > 0 && random() >= Math.exp(-change / temperature)) return
    regions[cell] = to
    sizes[from]!--
    sizes[to]!++
    if (from !== outside && fromCost !== Infinity) spans.remove(from, row, column)
    if (to !== outside) spans.add(to, row, column)
    border.changed(cell)
  }

  for (let sweep = 0; sweep < CHAIN.sweeps; sweep++) {
    const temperature = Math.max(
      CHAIN.coolest,
      CHAIN.hottest + ((CHAIN.coolest - CHAIN.hottest) * sweep) / CHAIN.cooling,
    )
    const attempts = border.size * 2
    for (let each = 0; each < attempts; each++) attempt(border.at(Math.floor(random() * border.size)), temperature)
    if (sweep >= CHAIN.cooling && sweep % CHAIN.every === 0) count(regions)
  }
}
