import { positionsFrom, type Site, type SiteList } from '../../../domain/sites.ts'
import type { SiteName, UsedSiteList } from '../../site-lists.ts'

export interface SiteListRow {
  id: string
  account_id: string
  name: string
  size: number
  version: number
  created_at: number
  updated_at: number
  watches: number
}

/**
 * The columns of a `SiteListRow`, without the positions, which are read only where they are needed.
 */
export const SITE_LIST_COLUMNS = `id, account_id, name, size, version, created_at, updated_at,
  (SELECT count(*) FROM watch_site_lists WHERE list_id = site_lists.id) AS watches`

export function siteListOf(row: SiteListRow): UsedSiteList {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    size: row.size,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    watches: row.watches,
  }
}

/** In the order of the table's columns, without the positions. */
export function siteListValues({ id, accountId, name, size, version, createdAt, updatedAt }: SiteList) {
  return [id, accountId, name, size, version, createdAt, updatedAt] as const
}

/** Joins names in order, from number `from` on, with their packed positions. */
export function sitesOf(names: readonly SiteName[], positions: Uint8Array, from: number): Site[] {
  const places = positionsFrom(positions, from, names.length)
  return names.map(({ name, reference }, at) => ({ name, ...places[at]!, reference }))
}
