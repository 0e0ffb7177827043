import type { AreaPatch, SavedArea } from '../../../domain/area.ts'
import type { AreaRefusal, UsedArea } from '../../areas.ts'
import { type AreaRow, areaOf, areaValues } from '../../shared/rows/area-rows.ts'
import { NAMED_WATCHES } from '../../shared/rows/watch-rows.ts'
import type { UsingWatch } from '../../watches.ts'
import { requireOpen } from '../accounts/require-open.ts'
import type { Database } from '../connection/database.ts'
import { replaceShape } from './watch-areas.ts'

export function areas(database: Database) {
  return {
    add(area: SavedArea, max: number): true | AreaRefusal {
      return database.transaction(() => {
        requireOpen(database, area.accountId)
        const { held, taken } = database.get<{ held: number; taken: number }>(
          'SELECT count(*) AS held, coalesce(max(name = :name), 0) AS taken FROM areas WHERE account_id = :accountId',
          { accountId: area.accountId, name: area.name },
        )!
        if (taken) return 'name_taken'
        if (held >= max) return 'too_many'
        database.run(
          'INSERT INTO areas (id, account_id, name, shape, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?)',
          areaValues(area),
        )
        return true
      })
    },

    find: (accountId: string, id: string): UsedArea | null => findArea(database, accountId, id),

    list(accountId: string, limit: number, before: string | null): UsedArea[] {
      return database
        .all<AreaRow>(
          `SELECT areas.*, (SELECT count(*) FROM watch_areas WHERE area_id = areas.id) AS watches
           FROM areas WHERE account_id = :accountId AND (:before IS NULL OR id < :before)
           ORDER BY id DESC
           LIMIT +:limit`,
          { accountId, before, limit },
        )
        .map(areaOf)
    },

    count(accountId: string): number {
      return database.get<{ areas: number }>('SELECT count(*) AS areas FROM areas WHERE account_id = ?', [accountId])!
        .areas
    },

    change(accountId: string, id: string, patch: AreaPatch, now: number): UsedArea | 'name_taken' | null {
      return database.transaction(() => {
        const area = findArea(database, accountId, id)
        if (area === null) return null
        const changed = { ...area, ...patch, updatedAt: now }
        const namesake = database.get('SELECT 1 FROM areas WHERE account_id = ? AND name = ? AND id <> ?', [
          accountId,
          changed.name,
          id,
        ])
        if (namesake !== undefined) return 'name_taken'
        database.run('UPDATE areas SET name = ?, shape = ?, updated_at = ? WHERE id = ?', [
          changed.name,
          changed.shape,
          now,
          id,
        ])
        if (changed.shape !== area.shape) replaceShape(database, id, changed.shape)
        return changed
      })
    },

    remove(accountId: string, id: string): readonly UsingWatch[] | null {
      return database.transaction(() => {
        if (findArea(database, accountId, id) === null) return null
        const using = database
          .all<UsingWatch>(
            `SELECT watches.id, watches.name
             FROM watch_areas JOIN watches ON watches.id = watch_areas.watch_id
             WHERE watch_areas.area_id = ? ORDER BY watches.id LIMIT +?`,
            [id, NAMED_WATCHES],
          )
          .map((row) => ({ ...row }))
        if (using.length === 0) database.run('DELETE FROM areas WHERE id = ?', [id])
        return using
      })
    },
  }
}

function findArea(database: Database, accountId: string, id: string): UsedArea | null {
  const row = database.get<AreaRow>(
    `SELECT areas.*, (SELECT count(*) FROM watch_areas WHERE area_id = areas.id) AS watches
     FROM areas WHERE account_id = ? AND id = ?`,
    [accountId, id],
  )
  return row === undefined ? null : areaOf(row)
}
