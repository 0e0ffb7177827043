import type { Areas, UsedArea } from '../../areas.ts'
import { type AreaRow, areaOf, areaValues } from '../../shared/rows/area-rows.ts'
import { NAMED_WATCHES } from '../../shared/rows/watch-rows.ts'
import type { UsingWatch } from '../../watches.ts'
import { lockAccount } from '../accounts/lock-account.ts'
import { requireOpen } from '../accounts/require-open.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'
import { lockedRevision } from '../watches/watch-head.ts'
import { replaceShape } from './watch-areas.ts'

export function areas(connection: PostgresConnection): Areas {
  return {
    add(area, max) {
      return connection.transaction(async (query) => {
        await lockAccount(query, area.accountId)
        await requireOpen(query, area.accountId)
        const [account] = await query<{ held: number; taken: boolean | null }>(
          'SELECT count(*) AS held, bool_or(name = $2) AS taken FROM areas WHERE account_id = $1',
          [area.accountId, area.name],
        )
        if (account!.taken) return 'name_taken'
        if (account!.held >= max) return 'too_many'
        await query(
          'INSERT INTO areas (id, account_id, name, shape, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $6)',
          areaValues(area),
        )
        return true
      })
    },

    find: (accountId, id) => findArea(connection.query, accountId, id),

    async list(accountId, limit, before) {
      const rows = await connection.query<AreaRow>(
        `SELECT areas.*, (SELECT count(*) FROM watch_areas WHERE area_id = areas.id) AS watches
         FROM areas WHERE account_id = $1 AND ($2::text IS NULL OR id < $2)
         ORDER BY id DESC
         LIMIT $3`,
        [accountId, before, limit],
      )
      return rows.map(areaOf)
    },

    async count(accountId) {
      const [row] = await connection.query<{ areas: number }>(
        'SELECT count(*) AS areas FROM areas WHERE account_id = $1',
        [accountId],
      )
      return row!.areas
    },

    change(accountId, id, patch, now) {
      return connection.transaction(async (query) => {
        // The account before the watches' head, as where an account is blocked.
        await lockAccount(query, accountId)
        const revision = await lockedRevision(query)
        const area = await findArea(query, accountId, id)
        if (area === null) return null
        const changed = { ...area, ...patch, updatedAt: now }
        const namesakes = await query('SELECT 1 FROM areas WHERE account_id = $1 AND name = $2 AND id <> $3', [
          accountId,
          changed.name,
          id,
        ])
        if (namesakes.length > 0) return 'name_taken'
        await query('UPDATE areas SET name = $2, shape = $3, updated_at = $4 WHERE id = $1', [
          id,
          changed.name,
          changed.shape,
          now,
        ])
        if (changed.shape !== area.shape) await replaceShape(query, id, changed.shape, revision)
        return changed
      })
    },

    remove(accountId, id) {
      return connection.transaction(async (query) => {
        await lockedRevision(query)
        if ((await findArea(query, accountId, id)) === null) return null
        const using = await query<UsingWatch>(
          `SELECT watches.id, watches.name
           FROM watch_areas JOIN watches ON watches.id = watch_areas.watch_id
           WHERE watch_areas.area_id = $1 ORDER BY watches.id LIMIT $2`,
          [id, NAMED_WATCHES],
        )
        if (using.length === 0) await query('DELETE FROM areas WHERE id = $1', [id])
        return using
      })
    },
  }
}

async function findArea(query: Query, accountId: string, id: string): Promise<UsedArea | null> {
  const [row] = await query<AreaRow>(
    `SELECT areas.*, (SELECT count(*) FROM watch_areas WHERE area_id = areas.id) AS watches
     FROM areas WHERE account_id = $1 AND id = $2`,
    [accountId, id],
  )
  return row === undefined ? null : areaOf(row)
}
