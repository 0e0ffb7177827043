import { MAX_WATCHES_PER_SITE_LIST, withSiteList } from '../../../domain/sites.ts'
import type { Watch, WatchFilter } from '../../../domain/watch.ts'
import type { FilterRefusal } from '../../watches.ts'
import type { Query } from '../connection/connection.ts'
import { type FilterOfWatch, replaceFilters } from '../watches/replace-filters.ts'

/**
 * Returns the filter of the watch with the version that its list has at present. The caller holds
 * the lock of `watch_head`.
 */
export async function filterWithSites(
  query: Query,
  { id, accountId }: Pick<Watch, 'id' | 'accountId'>,
  filter: WatchFilter,
): Promise<WatchFilter | FilterRefusal> {
  if (filter.siteListId === undefined) return filter
  const [list] = await query<{ version: number; others: number }>(
    `SELECT version,
            (SELECT count(*) FROM watch_site_lists WHERE list_id = site_lists.id AND watch_id <> $3) AS others
     FROM site_lists WHERE account_id = $1 AND id = $2`,
    [accountId, filter.siteListId, id],
  )
  if (list === undefined) return 'unknown_sites'
  if (list.others >= MAX_WATCHES_PER_SITE_LIST) return 'sites_full'
  return { ...filter, canonical: withSiteList(filter.canonical, filter.siteListId, list.version) }
}

/** Records which list of sites the filter of the watch uses, if any. */
export async function linkSites(query: Query, watchId: string, listId: string | undefined): Promise<void> {
  await query('DELETE FROM watch_site_lists WHERE watch_id = $1', [watchId])
  if (listId !== undefined)
    await query('INSERT INTO watch_site_lists (watch_id, list_id) VALUES ($1, $2)', [watchId, listId])
}

/**
 * Puts a new version into the filters of all watches that use the list, with the revisions after
 * `revision`.
 */
export async function replaceSiteList(query: Query, listId: string, version: number, revision: number): Promise<void> {
  const using = await query<FilterOfWatch>(
    `SELECT watches.id, watches.canonical_filter AS canonical
     FROM watch_site_lists JOIN watches ON watches.id = watch_site_lists.watch_id
     WHERE watch_site_lists.list_id = $1 ORDER BY watches.id`,
    [listId],
  )
  await replaceFilters(query, using, (canonical) => withSiteList(canonical, listId, version), revision)
}
