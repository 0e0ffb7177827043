import { MAX_WATCHES_PER_AREA, withAreaShape } from '../../../domain/area.ts'
import type { Watch, WatchFilter } from '../../../domain/watch.ts'
import type { FilterRefusal } from '../../watches.ts'
import type { Database } from '../connection/database.ts'
import { type FilterOfWatch, replaceFilters } from '../watches/replace-filters.ts'

/** Returns the filter of the watch with the shape that its area has at present. */
export function filterWithArea(
  database: Database,
  { id, accountId }: Pick<Watch, 'id' | 'accountId'>,
  filter: WatchFilter,
): WatchFilter | FilterRefusal {
  if (filter.areaId === undefined) return filter
  const area = database.get<{ shape: string; others: number }>(
    `SELECT shape, (SELECT count(*) FROM watch_areas WHERE area_id = areas.id AND watch_id <> ?) AS others
     FROM areas WHERE account_id = ? AND id = ?`,
    [id, accountId, filter.areaId],
  )
  if (area === undefined) return 'unknown_area'
  if (area.others >= MAX_WATCHES_PER_AREA) return 'area_full'
  return { ...filter, canonical: withAreaShape(filter.canonical, area.shape) }
}

/** Records which area the filter of the watch uses, if any. */
export function linkArea(database: Database, watchId: string, areaId: string | undefined): void {
  database.run('DELETE FROM watch_areas WHERE watch_id = ?', [watchId])
  if (areaId !== undefined) database.run('INSERT INTO watch_areas (watch_id, area_id) VALUES (?, ?)', [watchId, areaId])
}

/** Puts a new shape into the filters of all watches that use the area. */
export function replaceShape(database: Database, areaId: string, shape: string): void {
  const using = database.all<FilterOfWatch>(
    `SELECT watches.id, watches.canonical_filter AS canonical
     FROM watch_areas JOIN watches ON watches.id = watch_areas.watch_id
     WHERE watch_areas.area_id = ? ORDER BY watches.id`,
    [areaId],
  )
  replaceFilters(database, using, (canonical) => withAreaShape(canonical, shape))
}
