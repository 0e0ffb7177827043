import { SEVERITIES } from '../../domain/taxonomy.ts'
import type { Steps } from '../../lib/async/steps.ts'
import type { Filter } from '../../query/filter/filter.ts'
import type { Tile } from '../../query/tile.ts'
import type { Columns } from '../columns/columns.ts'
import { boxOf, tileShift } from '../columns/web-mercator.ts'
import { matchInBatches, restrictsOnly } from '../query/matching-batches.ts'
import { membershipMask } from '../query/query-plan.ts'
import type { Segment } from '../segments/segment.ts'
import type { SegmentList } from '../segments/segment-list.ts'
import { type Cluster, Clusters, MAX_CELL_SUMS_ZOOM } from './clusters.ts'

/** From this zoom on, incidents are shown individually. */
export const SINGLES_MIN_ZOOM = 10
/** Below that zoom, a tile with at most this many incidents shows them individually. */
export const MAX_SINGLES_ZOOMED_OUT = 100
/** More than this in one tile would overlap and load slowly: they are clustered at any zoom. */
export const MAX_SINGLES = 2000

export interface TileQuery {
  readonly filter: Filter
  readonly now: number
  readonly tile: Tile
}

/** The content of a tile: each incident once, individually or within a cluster. */
export interface TileContent {
  readonly clusters: readonly Cluster[]
  /** Slots, newest last. */
  readonly singles: readonly number[]
  /** When the oldest was published; null if there is none. */
  readonly oldest: number | null
}

export function* tileContent(
  { filter, now, tile }: TileQuery,
  columns: Columns,
  list: SegmentList,
): Steps<TileContent> {
  const { x, y, severity } = columns
  const shift = tileShift(tile)
  const clusters = new Clusters(columns, shift)
  const severities = membershipMask(filter.severities ?? SEVERITIES, columns.severities)
  const maxSingles = tile.z >= SINGLES_MIN_ZOOM ? MAX_SINGLES : MAX_SINGLES_ZOOMED_OUT
  const singles: number[] = []
  let total = 0
  let oldest: number | null = null
  const addBatch = (slots: Uint32Array) => {
    const count = keepInTile(slots, tile, columns)
    if (count === 0) return
    oldest ??= columns.publishedAt[slots[0]!]!
    total += count
    if (total <= maxSingles) for (let index = 0; index < count; index++) singles.push(slots[index]!)
    clusters.addSlots(slots, count)
  }
  const isInTile = (slot: number) =>
    (((x[slot]! >> shift) ^ tile.x) | ((y[slot]! >> shift) ^ tile.y)) === 0 && severities[severity[slot]!] === 1
  const addSummary = (segment: Segment) => {
    const cells = segment.cellSums(columns)
    const inTile: number[] = []
    let count = 0
    for (let cell = 0; cell < cells.newest.length; cell++) {
      if (!isInTile(cells.newest[cell]!)) continue
      inTile.push(cell)
      count += cells.counts[cell]!
    }
    if (count === 0) return true
    // Incidents that may still be shown individually must be read one by one.
    if (total + count <= maxSingles) return false
    oldest ??= columns.publishedAt[segment.slots.find(isInTile)!]!
    total += count
    clusters.addCells(cells, inTile)
    return true
  }
  const useCellSums = tile.z <= MAX_CELL_SUMS_ZOOM && restrictsOnly(filter, ['severities'])
  yield* matchInBatches({ filter, now, area: boxOf(tile) }, columns, list, addBatch, useCellSums ? addSummary : null)
  if (total <= maxSingles) return { clusters: [], singles, oldest }
  const all = [...clusters]
  return {
    clusters: all.filter(({ count }) => count > 1),
    singles: all.filter(({ count }) => count === 1).map(({ newestSlot }) => newestSlot),
    oldest,
  }
}

/** Moves the slots in the tile to the front, in order; returns their number. */
function keepInTile(slots: Uint32Array, tile: Tile, { x, y }: Columns): number {
  const shift = tileShift(tile)
  const { x: column, y: row } = tile
  let kept = 0
  for (let index = 0; index < slots.length; index++) {
    const slot = slots[index]!
    slots[kept] = slot
    const beside = ((x[slot]! >> shift) ^ column) | ((y[slot]! >> shift) ^ row)
    kept += beside === 0 ? 1 : 0
  }
  return kept
}
