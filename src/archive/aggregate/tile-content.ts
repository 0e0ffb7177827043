import { SEVERITIES } from '../../domain/taxonomy.ts'
import type { Steps } from '../../lib/async/steps.ts'
import type { Filter } from '../../query/filter/filter.ts'
import type { Tile } from '../../query/tile.ts'
import type { Columns } from '../columns/columns.ts'
import { boxAroundTile, tileShift } from '../columns/web-mercator.ts'
import { matchInBatches, restrictsOnly } from '../query/matching-batches.ts'
import { membershipMask } from '../query/query-plan.ts'
import type { Segment } from '../segments/segment.ts'
import type { SegmentList } from '../segments/segment-list.ts'
import { type Cluster, Clusters, MAX_CELL_SUMS_ZOOM } from './clusters.ts'

export interface TileQuery {
  readonly filter: Filter
  readonly now: number
  readonly tile: Tile
}

/** The content of a tile: each incident once, at most one mark in each cell of the grid. */
export interface TileContent {
  /** The cells with several incidents. */
  readonly clusters: readonly Cluster[]
  /** The slots of incidents that are alone in their cell; the newest last. */
  readonly singles: readonly number[]
  /** When the oldest was published; null if there is none. */
  readonly oldest: number | null
}

/**
 * Finds the marks of a tile. The cells are those of a grid over the world, at every zoom, whatever
 * the tile holds: an incident changes its own cell only, and two tiles never disagree.
 */
export function* tileContent(
  { filter, now, tile }: TileQuery,
  columns: Columns,
  list: SegmentList,
): Steps<TileContent> {
  const { x, y, severity } = columns
  const shift = tileShift(tile)
  const clusters = new Clusters(columns, tile)
  const severities = membershipMask(filter.severities ?? SEVERITIES, columns.severities)
  let oldest: number | null = null
  const addBatch = (slots: Uint32Array) => {
    if (clusters.addSlots(slots) > 0) oldest ??= columns.publishedAt[slots[0]!]!
  }
  const isInTile = (slot: number) =>
    (((x[slot]! >> shift) ^ tile.x) | ((y[slot]! >> shift) ^ tile.y)) === 0 && severities[severity[slot]!] === 1
  const addSummary = (segment: Segment) => {
    if (clusters.addCells(segment.cellSums(columns), severities))
      oldest ??= columns.publishedAt[segment.slots.find(isInTile)!]!
    return true
  }
  const useCellSums = tile.z <= MAX_CELL_SUMS_ZOOM && restrictsOnly(filter, ['severities'])
  yield* matchInBatches(
    { filter, now, area: boxAroundTile(tile) },
    columns,
    list,
    addBatch,
    useCellSums ? addSummary : null,
  )
  const all = [...clusters]
  const singles = all.filter(({ count }) => count === 1).map(({ newestSlot }) => newestSlot)
  return {
    clusters: all.filter(({ count }) => count > 1),
    singles: singles.sort((one, other) => columns.compare(one, other)),
    oldest,
  }
}
