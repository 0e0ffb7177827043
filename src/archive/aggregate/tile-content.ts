import { SEVERITIES } from '../../domain/taxonomy.ts'
import type { Filter } from '../../filter/filter/filter.ts'
import type { Tile } from '../../filter/tile.ts'
import type { Steps } from '../../lib/async/steps.ts'
import type { Columns } from '../columns/columns.ts'
import { boxAroundTile, tileShift } from '../columns/web-mercator.ts'
import { matchInBatches, restrictsOnly } from '../query/matching-batches.ts'
import { membershipMask, planQuery, type QueryPlan } from '../query/query-plan.ts'
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
  const clusters = new Clusters(columns, tile)
  const severities = membershipMask(filter.severities ?? SEVERITIES, columns.severities)
  // Segments come newest first, so the last one seen has the oldest incident.
  let oldestSlot: number | null = null
  let oldestSegment: Segment | null = null
  const addBatch = (slots: Uint32Array, segment: Segment) => {
    if (clusters.addSlots(slots, segment) === 0) return
    oldestSlot = slots[0]!
    oldestSegment = null
  }
  const addCells = (segment: Segment, undecided: Filter) => {
    if (tile.z > MAX_CELL_SUMS_ZOOM || !restrictsOnly(undecided, ['severities'])) return false
    if (clusters.addCells(segment.cells(columns), severities)) oldestSegment = segment
    return true
  }
  const query = { filter, now, area: boxAroundTile(tile) }
  yield* matchInBatches(query, columns, list, 'newest first', addBatch, addCells)
  if (oldestSegment !== null) oldestSlot = firstInTile(oldestSegment, tile, planQuery(filter, columns, now), columns)
  const all = [...clusters]
  const singles = all.filter(({ count }) => count === 1).map(({ newestSlot }) => newestSlot)
  return {
    clusters: all.filter(({ count }) => count > 1),
    singles: singles.sort((one, other) => columns.compare(one, other)),
    oldest: oldestSlot === null ? null : columns.publishedAt[oldestSlot]!,
  }
}

/** Returns the first slot of a segment that lies in the tile and matches; there is one. */
function firstInTile({ slots }: Segment, tile: Tile, { matches }: QueryPlan, { x, y }: Columns): number {
  const shift = tileShift(tile)
  return slots.find((slot) => x[slot]! >> shift === tile.x && y[slot]! >> shift === tile.y && matches(slot, 0))!
}
