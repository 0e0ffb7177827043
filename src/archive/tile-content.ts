import type { Filter } from '../domain/filter/filter.ts'
import type { Tile } from '../domain/tile.ts'
import { type Cluster, Clusters } from './clusters.ts'
import type { Columns } from './columns.ts'
import { eachBatch } from './matches.ts'
import type { PublishedOrder } from './published-order.ts'
import { boxOf, tileShift } from './world.ts'

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
  const { x, y } = columns
  const shift = tileShift(tile)
  const clusters = new Clusters(columns, shift)
  const most = tile.z >= SINGLES_FROM_ZOOM ? MOST_SINGLES : FEW
  const singles: number[] = []
  let total = 0
  let oldest: number | null = null
  eachBatch({ filter, now, area: boxOf(tile) }, columns, order, (slots) => {
    let count = 0
    for (let index = 0; index < slots.length; index++) {
      const slot = slots[index]!
      slots[count] = slot
      const beside = ((x[slot]! >> shift) ^ tile.x) | ((y[slot]! >> shift) ^ tile.y)
      count += beside === 0 ? 1 : 0
    }
    if (count === 0) return
    oldest ??= columns.publishedAt[slots[0]!]!
    total += count
    if (total <= most) for (let index = 0; index < count; index++) singles.push(slots[index]!)
    clusters.add(slots, count)
  })
  if (total <= most) return { clusters: [], singles, oldest }
  const all = [...clusters]
  return {
    clusters: all.filter(({ count }) => count > 1),
    singles: all.filter(({ count }) => count === 1).map(({ newestSlot }) => newestSlot),
    oldest,
  }
}
