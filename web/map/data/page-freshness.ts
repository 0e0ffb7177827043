import { useStore } from '../../shared/store.ts'
import { serverNow } from '../initial-data.ts'
import { feedStatus } from '../live/feed.ts'
import type { Freshness } from '../live/freshness.ts'
import { mapTiles } from './map-tiles.ts'
import { snapshot } from './snapshot.ts'

/**
 * A slow connection may take this long to load list and counts before the page counts as behind.
 */
const MAX_LOADING_MS = 20_000

/**
 * Says how current what the page shows is. A working stream is not enough: list, counts and marks
 * must have been loaded too.
 */
export function usePageFreshness(): Freshness {
  const { freshness } = useStore(feedStatus)
  const { failure, loading, currentAt } = useStore(snapshot)
  const tiles = useStore(mapTiles)
  if (freshness !== 'live') return freshness
  const isLate = loading && serverNow() - currentAt > MAX_LOADING_MS
  return failure !== null || isLate || tiles === 'failed' ? 'behind' : 'live'
}
