import { packPositions, type Site, type SiteList } from '../../../domain/sites.ts'
import {
  SITE_LIST_COLUMNS,
  type SiteListRow,
  siteListOf,
  siteListValues,
  sitesOf,
} from '../../shared/rows/site-rows.ts'
import { NAMED_WATCHES } from '../../shared/rows/watch-rows.ts'
import type {
  SiteListPatch,
  SiteListRefusal,
  SiteName,
  SitePage,
  SitePositions,
  UsedSiteList,
} from '../../site-lists.ts'
import type { UsingWatch } from '../../watches.ts'
import { requireOpen } from '../accounts/require-open.ts'
import type { Database } from '../connection/database.ts'
import { replaceSiteList } from './watch-site-lists.ts'

export function siteLists(database: Database) {
  return {
    add(list: SiteList, sites: readonly Site[], max: number): true | SiteListRefusal {
      return database.transaction(() => {
        requireOpen(database, list.accountId)
        const { held, taken } = database.get<{ held: number; taken: number }>(
          `SELECT count(*) AS held, coalesce(max(name = :name), 0) AS taken FROM site_lists
           WHERE account_id = :accountId`,
          { accountId: list.accountId, name: list.name },
        )!
        if (taken) return 'name_taken'
        if (held >= max) return 'too_many'
        database.run(
          `INSERT INTO site_lists (id, account_id, name, size, version, created_at, updated_at, positions)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          [...siteListValues(list), packPositions(sites)],
        )
        insertNames(database, list.id, sites)
        return true
      })
    },

    find(accountId: string, id: string): UsedSiteList | null {
      return findList(database, accountId, id)
    },

    list(accountId: string, limit: number, before: string | null): UsedSiteList[] {
      return database
        .all<SiteListRow>(
          `SELECT ${SITE_LIST_COLUMNS} FROM site_lists
           WHERE account_id = :accountId AND (:before IS NULL OR id < :before)
           ORDER BY id DESC
           LIMIT +:limit`,
          { accountId, before, limit },
        )
        .map(siteListOf)
    },

    count(accountId: string): number {
      return database.get<{ lists: number }>('SELECT count(*) AS lists FROM site_lists WHERE account_id = ?', [
        accountId,
      ])!.lists
    },

    positions(accountId: string, id: string): SitePositions | null {
      const row = database.get<SitePositions>(
        'SELECT id, name, version, positions FROM site_lists WHERE account_id = ? AND id = ?',
        [accountId, id],
      )
      return row === undefined ? null : { ...row }
    },

    version(accountId: string, id: string): number | null {
      const row = database.get<{ version: number }>('SELECT version FROM site_lists WHERE account_id = ? AND id = ?', [
        accountId,
        id,
      ])
      return row?.version ?? null
    },

    page(accountId: string, id: string, from: number, limit: number): SitePage | null {
      return database.transaction(() => {
        const row = database.get<SiteListRow & { positions: Uint8Array }>(
          `SELECT ${SITE_LIST_COLUMNS}, positions FROM site_lists WHERE account_id = ? AND id = ?`,
          [accountId, id],
        )
        if (row === undefined) return null
        const names = database.all<SiteName>(
          'SELECT number, name, reference FROM sites WHERE list_id = ? AND number >= ? ORDER BY number LIMIT +?',
          [id, from, limit],
        )
        return { list: siteListOf(row), sites: sitesOf(names, row.positions, from) }
      })
    },

    names(id: string, version: number, numbers: readonly number[]): SiteName[] {
      return database
        .all<SiteName>(
          `SELECT sites.number, sites.name, sites.reference
           FROM site_lists JOIN sites ON sites.list_id = site_lists.id
           WHERE site_lists.id = ? AND site_lists.version = ? AND sites.number IN (SELECT value FROM json_each(?))`,
          [id, version, JSON.stringify(numbers)],
        )
        .map((row) => ({ ...row }))
    },

    change(
      accountId: string,
      id: string,
      { name, sites }: SiteListPatch,
      now: number,
    ): UsedSiteList | 'name_taken' | null {
      return database.transaction(() => {
        const list = findList(database, accountId, id)
        if (list === null) return null
        const namesake = database.get('SELECT 1 FROM site_lists WHERE account_id = ? AND name = ? AND id <> ?', [
          accountId,
          name,
          id,
        ])
        if (namesake !== undefined) return 'name_taken'
        const version = list.version + 1
        database.run(
          'UPDATE site_lists SET name = ?, size = ?, version = ?, positions = ?, updated_at = ? WHERE id = ?',
          [name, sites.length, version, packPositions(sites), now, id],
        )
        database.run('DELETE FROM sites WHERE list_id = ?', [id])
        insertNames(database, id, sites)
        replaceSiteList(database, id, version)
        return { ...list, name, size: sites.length, version, updatedAt: now }
      })
    },

    remove(accountId: string, id: string): readonly UsingWatch[] | null {
      return database.transaction(() => {
        if (findList(database, accountId, id) === null) return null
        const using = database
          .all<UsingWatch>(
            `SELECT watches.id, watches.name
             FROM watch_site_lists JOIN watches ON watches.id = watch_site_lists.watch_id
             WHERE watch_site_lists.list_id = ? ORDER BY watches.id LIMIT +?`,
            [id, NAMED_WATCHES],
          )
          .map((row) => ({ ...row }))
        if (using.length === 0) database.run('DELETE FROM site_lists WHERE id = ?', [id])
        return using
      })
    },
  }
}

function findList(database: Database, accountId: string, id: string): UsedSiteList | null {
  const row = database.get<SiteListRow>(`SELECT ${SITE_LIST_COLUMNS} FROM site_lists WHERE account_id = ? AND id = ?`, [
    accountId,
    id,
  ])
  return row === undefined ? null : siteListOf(row)
}

/** In one statement: ten thousand would take three times as long. */
function insertNames(database: Database, id: string, sites: readonly Site[]): void {
  database.run(
    `INSERT INTO sites (list_id, number, name, reference)
     SELECT ?, key, value ->> 0, value ->> 1 FROM json_each(?)`,
    [id, JSON.stringify(sites.map(({ name, reference }) => [name, reference]))],
  )
}
