import { packPositions, type Site } from '../../../domain/sites.ts'
import {
  SITE_LIST_COLUMNS,
  type SiteListRow,
  siteListOf,
  siteListValues,
  sitesOf,
} from '../../shared/rows/site-rows.ts'
import { NAMED_WATCHES } from '../../shared/rows/watch-rows.ts'
import type { SiteLists, SiteName, SitePositions, UsedSiteList } from '../../site-lists.ts'
import type { UsingWatch } from '../../watches.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import { requireOpen } from '../accounts/require-open.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'
import { lockedRevision } from '../watches/watch-head.ts'
import { replaceSiteList } from './watch-site-lists.ts'

export function siteLists(connection: PostgresConnection): SiteLists {
  return {
    add(list, sites, max) {
      return connection.transaction(async (query) => {
        await lockAccount(query, list.accountId)
        await requireOpen(query, list.accountId)
        const [account] = await query<{ held: number; taken: boolean | null }>(
          'SELECT count(*) AS held, bool_or(name = $2) AS taken FROM site_lists WHERE account_id = $1',
          [list.accountId, list.name],
        )
        if (account!.taken) return 'name_taken'
        if (account!.held >= max) return 'too_many'
        await query(
          `INSERT INTO site_lists (id, account_id, name, size, version, created_at, updated_at, positions)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
          [...siteListValues(list), packPositions(sites)],
        )
        await insertNames(query, list.id, sites)
        return true
      })
    },

    find: (accountId, id) => findList(connection.query, accountId, id),

    async list(accountId, limit, before) {
      const rows = await connection.query<SiteListRow>(
        `SELECT ${SITE_LIST_COLUMNS} FROM site_lists
         WHERE account_id = $1 AND ($2::text IS NULL OR id < $2)
         ORDER BY id DESC
         LIMIT $3`,
        [accountId, before, limit],
      )
      return rows.map(siteListOf)
    },

    async count(accountId) {
      const [row] = await connection.query<{ lists: number }>(
        'SELECT count(*) AS lists FROM site_lists WHERE account_id = $1',
        [accountId],
      )
      return row!.lists
    },

    async positions(accountId, id) {
      const [row] = await connection.query<SitePositions>(
        'SELECT id, name, version, positions FROM site_lists WHERE account_id = $1 AND id = $2',
        [accountId, id],
      )
      return row ?? null
    },

    async version(accountId, id) {
      const [row] = await connection.query<{ version: number }>(
        'SELECT version FROM site_lists WHERE account_id = $1 AND id = $2',
        [accountId, id],
      )
      return row?.version ?? null
    },

    page(accountId, id, from, limit) {
      return connection.transaction(async (query) => {
        // Positions and names must be of one version, whoever replaces them meanwhile.
        const [row] = await query<SiteListRow & { positions: Uint8Array }>(
          `SELECT ${SITE_LIST_COLUMNS}, positions FROM site_lists WHERE account_id = $1 AND id = $2 FOR SHARE`,
          [accountId, id],
        )
        if (row === undefined) return null
        const names = await query<SiteName>(
          'SELECT number, name, reference FROM sites WHERE list_id = $1 AND number >= $2 ORDER BY number LIMIT $3',
          [id, from, limit],
        )
        return { list: siteListOf(row), sites: sitesOf(names, row.positions, from) }
      })
    },

    names: (id, version, numbers) =>
      connection.query<SiteName>(
        `SELECT sites.number, sites.name, sites.reference
         FROM site_lists JOIN sites ON sites.list_id = site_lists.id
         WHERE site_lists.id = $1 AND site_lists.version = $2 AND sites.number = ANY ($3::bigint[])`,
        [id, version, [...numbers]],
      ),

    change(accountId, id, { name, sites }, now) {
      return connection.transaction(async (query) => {
        // The account before the watches' head, as where an account is blocked.
        await lockAccount(query, accountId)
        const revision = await lockedRevision(query)
        const list = await findList(query, accountId, id)
        if (list === null) return null
        const namesakes = await query('SELECT 1 FROM site_lists WHERE account_id = $1 AND name = $2 AND id <> $3', [
          accountId,
          name,
          id,
        ])
        if (namesakes.length > 0) return 'name_taken'
        const version = list.version + 1
        await query(
          'UPDATE site_lists SET name = $2, size = $3, version = $4, positions = $5, updated_at = $6 WHERE id = $1',
          [id, name, sites.length, version, packPositions(sites), now],
        )
        await query('DELETE FROM sites WHERE list_id = $1', [id])
        await insertNames(query, id, sites)
        await replaceSiteList(query, id, version, revision)
        return { ...list, name, size: sites.length, version, updatedAt: now }
      })
    },

    remove(accountId, id) {
      return connection.transaction(async (query) => {
        await lockedRevision(query)
        if ((await findList(query, accountId, id)) === null) return null
        const using = await query<UsingWatch>(
          `SELECT watches.id, watches.name
           FROM watch_site_lists JOIN watches ON watches.id = watch_site_lists.watch_id
           WHERE watch_site_lists.list_id = $1 ORDER BY watches.id LIMIT $2`,
          [id, NAMED_WATCHES],
        )
        if (using.length === 0) await query('DELETE FROM site_lists WHERE id = $1', [id])
        return using
      })
    },
  }
}

async function findList(query: Query, accountId: string, id: string): Promise<UsedSiteList | null> {
  const [row] = await query<SiteListRow>(
    `SELECT ${SITE_LIST_COLUMNS} FROM site_lists WHERE account_id = $1 AND id = $2`,
    [accountId, id],
  )
  return row === undefined ? null : siteListOf(row)
}

async function insertNames(query: Query, id: string, sites: readonly Site[]): Promise<void> {
  await query(
    `INSERT INTO sites (list_id, number, name, reference)
     SELECT $1, given.number - 1, given.name, given.reference
     FROM unnest($2::text[], $3::text[]) WITH ORDINALITY AS given (name, reference, number)`,
    [id, sites.map(({ name }) => name), sites.map(({ reference }) => reference)],
  )
}
