import { MAX_WATCHES_PER_SITE_LIST, withSiteList } from '../../../domain/sites/site.ts'
import type { WatchFilter } from '../../../domain/watch.ts'
import type { FilterRefusal } from '../../watches.ts'
import type { Database } from '../connection/database.ts'

/** Returns the filter with the version that its list of sites has at present. */
export function filterWithSites(
  database: Database,
  accountId: string,
  filter: WatchFilter,
): WatchFilter | FilterRefusal {
  if (filter.siteListId === undefined) return filter
  const list = database.get<{ version: number; watches: number }>(
    `SELECT version, (SELECT count(*) FROM watch_site_lists WHERE list_id = site_lists.id) AS watches
     FROM site_lists WHERE account_id = ? AND id = ?`,
    [accountId, filter.siteListId],
  )
  if (list === undefined) return 'unknown_sites'
  if (list.watches >= MAX_WATCHES_PER_SITE_LIST) return 'sites_full'
  return { ...filter, canonical: withSiteList(filter.canonical, filter.siteListId, list.version) }
}

/** Records which list of sites the filter of the watch uses, if any. */
export function linkSites(database: Database, watchId: string, listId: string | undefined): void {
  database.run('DELETE FROM watch_site_lists WHERE watch_id = ?', [watchId])
  if (listId !== undefined)
    database.run('INSERT INTO watch_site_lists (watch_id, list_id) VALUES (?, ?)', [watchId, listId])
}

/** Puts a new version into the filters of all watches that use the list. */
export function replaceSiteList(
  database: Database,
  listId: string,
  version: number,
  nextRevision: (database: Database) => number,
): void {
  const using = database.all<{ id: string; canonical: string }>(
    `SELECT watches.id, watches.canonical_filter AS canonical
     FROM watch_site_lists JOIN watches ON watches.id = watch_site_lists.watch_id
     WHERE watch_site_lists.list_id = ? ORDER BY watches.id`,
    [listId],
  )
  for (const { id, canonical } of using) {
    database.run('UPDATE watches SET canonical_filter = ?, revision = ? WHERE id = ?', [
      withSiteList(canonical, listId, version),
      nextRevision(database),
      id,
    ])
  }
}
