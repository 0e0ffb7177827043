import { MAX_WATCHES_PER_AREA, withAreaShape } from '../../../domain/area.ts'
import type { Watch, WatchFilter } from '../../../domain/watch.ts'
import type { FilterRefusal } from '../../watches.ts'
import type { Query } from '../connection/connection.ts'
import { type FilterOfWatch, replaceFilters } from '../watches/replace-filters.ts'

/**
 * Returns the filter of the watch with the shape that its area has at present. The caller holds the
 * lock of `watch_head`.
 */
export async function filterWithArea(
  query: Query,
  { id, accountId }: Pick<Watch, 'id' | 'accountId'>,
  filter: WatchFilter,
): Promise<WatchFilter | FilterRefusal> {
  if (filter.areaId === undefined) return filter
  const [area] = await query<{ shape: string; others: number }>(
    `SELECT shape, (SELECT count(*) FROM watch_areas WHERE area_id = areas.id AND watch_id <> $3) AS others
     FROM areas WHERE account_id = $1 AND id = $2`,
    [accountId, filter.areaId, id],
  )
  if (area === undefined) return 'unknown_area'
  if (area.others >= MAX_WATCHES_PER_AREA) return 'area_full'
  return { ...filter, canonical: withAreaShape(filter.canonical, area.shape) }
}

/** Records which area the filter of the watch uses, if any. */
export async function linkArea(query: Query, watchId: string, areaId: string | undefined): Promise<void> {
  await query('DELETE FROM watch_areas WHERE watch_id = $1', [watchId])
  if (areaId !== undefined)
    await query('INSERT INTO watch_areas (watch_id, area_id) VALUES ($1, $2)', [watchId, areaId])
}

/**
 * Puts a new shape into the filters of all watches that use the area, with the revisions after
 * `revision`.
 */
export async function replaceShape(query: Query, areaId: string, shape: string, revision: number): Promise<void> {
  const using = await query<FilterOfWatch>(
    `SELECT watches.id, watches.canonical_filter AS canonical
     FROM watch_areas JOIN watches ON watches.id = watch_areas.watch_id
     WHERE watch_areas.area_id = $1 ORDER BY watches.id`,
    [areaId],
  )
  await replaceFilters(query, using, (canonical) => withAreaShape(canonical, shape), revision)
}
