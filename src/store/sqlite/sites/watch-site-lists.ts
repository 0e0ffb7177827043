import { MAX_WATCHES_PER_SITE_LIST, withSiteList } from '../../../domain/sites.ts'
import type { Watch, WatchFilter } from '../../../domain/watch.ts'
import type { FilterRefusal } from '../../watches.ts'
import type { Database } from '../connection/database.ts'
import { type FilterOfWatch, replaceFilters } from '../watches/replace-filters.ts'

/** Returns the filter of the watch with the version that its list of sites has at present. */
export function filterWithSites(
  database: Database,
  { id, accountId }: Pick<Watch, 'id' | 'accountId'>,
  filter: WatchFilter,
): WatchFilter | FilterRefusal {
  if (filter.siteListId === undefined) return filter
  const list = database.get<{ version: number; others: number }>(
    `SELECT version,
            (SELECT count(*) FROM watch_site_lists WHERE list_id = site_lists.id AND watch_id <> ?) AS others
     FROM site_lists WHERE account_id = ? AND id = ?`,
    [id, accountId, filter.siteListId],
  )
  if (list === undefined) return 'unknown_sites'
  if (list.others >= MAX_WATCHES_PER_SITE_LIST) return 'sites_full'
  return { ...filter, canonical: withSiteList(filter.canonical, filter.siteListId, list.version) }
}

/** Records which list of sites the filter of the watch uses, if any. */
export function linkSites(database: Database, watchId: string, listId: string | undefined): void {
  database.run('DELETE FROM watch_site_lists WHERE watch_id = ?', [watchId])
  if (listId !== undefined)
    database.run('INSERT INTO watch_site_lists (watch_id, list_id) VALUES (?, ?)', [watchId, listId])
}

/** Puts a new version into the filters of all watches that use the list. */
export function replaceSiteList(database: Database, listId: string, version: number): void {
  const using = database.all<FilterOfWatch>(
    `SELECT watches.id, watches.canonical_filter AS canonical
     FROM watch_site_lists JOIN watches ON watches.id = watch_site_lists.watch_id
     WHERE watch_site_lists.list_id = ? ORDER BY watches.id`,
    [listId],
  )
  replaceFilters(database, using, (canonical) => withSiteList(canonical, listId, version))
}
