import { SEVERITIES } from '../../domain/taxonomy.ts'
import type { Filter } from '../../query/filter/filter.ts'
import type { Tile } from '../../query/tile.ts'
import type { Columns } from '../columns/columns.ts'
import { boxOf, tileShift } from '../columns/web-mercator.ts'
import { forEachMatchingBatch, restrictsOnly } from '../query/matching-batches.ts'
import { mask } from '../query/query-plan.ts'
import type { PublishedOrder } from '../segments/published-order.ts'
import type { Segment } from '../segments/segment.ts'
import { type Cluster, Clusters, MAX_CELL_SUMS_ZOOM } from './clusters.ts'

/** From this zoom on, incidents stand by themselves. */
export const SINGLES_FROM_ZOOM = 10
/** So many do at any zoom. */
export const FEW = 100
/** More than this in one tile lie on one another and take long on a slow line: then they are clustered at any zoom. */
export const MOST_SINGLES = 2000

export interface TileQuery {
  readonly filter: Filter
  readonly now: number
  readonly tile: Tile
}

/** What a tile shows: each of its incidents once, by itself or within a cluster. */
export interface TileContent {
  readonly clusters: readonly Cluster[]
  /** Slots, the newest last. */
  readonly singles: readonly number[]
  /** When the first of them all was published; null where there is none. */
  readonly oldest: number | null
}

export function tileContent({ filter, now, tile }: TileQuery, columns: Columns, order: PublishedOrder): TileContent {
  const { x, y, severity } = columns
  const shift = tileShift(tile)
  const clusters = new Clusters(columns, shift)
  const severities = mask(filter.severities ?? SEVERITIES, columns.severities)
  const most = tile.z >= SINGLES_FROM_ZOOM ? MOST_SINGLES : FEW
  const singles: number[] = []
  let total = 0
  let oldest: number | null = null
  const take = (slots: Uint32Array) => {
    const count = keepInTile(slots, tile, columns)
    if (count === 0) return
    oldest ??= columns.publishedAt[slots[0]!]!
    total += count
    if (total <= most) for (let index = 0; index < count; index++) singles.push(slots[index]!)
    clusters.add(slots, count)
  }
  const isWanted = (slot: number) =>
    (((x[slot]! >> shift) ^ tile.x) | ((y[slot]! >> shift) ^ tile.y)) === 0 && severities[severity[slot]!] === 1
  const summarise = (segment: Segment) => {
    const spots = segment.spots(columns)
    const inTile: number[] = []
    let count = 0
    for (let spot = 0; spot < spots.newest.length; spot++) {
      if (!isWanted(spots.newest[spot]!)) continue
      inTile.push(spot)
      count += spots.counts[spot]!
    }
    if (count === 0) return true
    // Incidents that may yet stand by themselves must be looked at.
    if (total + count <= most) return false
    oldest ??= columns.publishedAt[segment.slots.find(isWanted)!]!
    total += count
    clusters.addSpots(spots, inTile)
    return true
  }
  const bySpots = tile.z <= MAX_CELL_SUMS_ZOOM && restrictsOnly(filter, ['severities'])
  forEachMatchingBatch({ filter, now, area: boxOf(tile) }, columns, order, take, bySpots ? summarise : null)
  if (total <= most) return { clusters: [], singles, oldest }
  const all = [...clusters]
  return {
    clusters: all.filter(({ count }) => count > 1),
    singles: all.filter(({ count }) => count === 1).map(({ newestSlot }) => newestSlot),
    oldest,
  }
}

/** Moves the slots in the tile to the front, in order; returns how many they are. */
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
