import type { NewsSource } from '../../../domain/sources.ts'
import {
  type DueSourceRow,
  dueSourceOf,
  patchValues,
  pollStateOf,
  type SourceRow,
  sourceOf,
  sourceValues,
} from '../../shared/rows/source-rows.ts'
import type { DueSource, NewSource, PollRecord, SourcePatch } from '../../sources.ts'
import type { Database } from '../connection/database.ts'
import { items } from './items.ts'
import { proposals } from './proposals.ts'
import { unplacedStories } from './unplaced-stories.ts'

export function sources(database: Database) {
  return {
    ...items(database),
    ...proposals(database),
    ...unplacedStories(database),

    add(source: NewSource, max: number): NewsSource | 'taken' | 'full' {
      return database.transaction(() => {
        if (isTaken(database, source.urlKey, source.id)) return 'taken'
        const { count } = database.get<{ count: number }>('SELECT count(*) AS count FROM sources')!
        if (count >= max) return 'full'
        database.run(
          `INSERT INTO sources (id, kind, url, url_key, publisher, every_minutes, paused, created_at, due_at, polling)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          sourceValues(source),
        )
        return find(database, source.id)!
      })
    },

    find: (id: string): NewsSource | null => find(database, id),

    list(): NewsSource[] {
      return database
        .all<SourceRow>(
          `SELECT sources.*,
                  (SELECT count(*)
                   FROM source_items
                   JOIN source_item_incidents ON item_id = source_items.id AND role = 'report'
                   JOIN incidents ON incidents.id = incident_id AND incidents.status = 'confirmed'
                   WHERE source_id = sources.id) AS confirmed
           FROM sources ORDER BY publisher, id`,
        )
        .map(sourceOf)
    },

    pollStates(): Pick<NewsSource, 'paused' | 'polling'>[] {
      return database.all<DueSourceRow>('SELECT paused, polling FROM sources').map(pollStateOf)
    },

    change(id: string, patch: SourcePatch): NewsSource | 'taken' | null {
      return database.transaction(() => {
        if (patch.urlKey !== undefined && isTaken(database, patch.urlKey, id)) return 'taken'
        database.run(
          `UPDATE sources
           SET url = coalesce(?2, url), url_key = coalesce(?3, url_key), publisher = coalesce(?4, publisher),
               every_minutes = coalesce(?5, every_minutes), paused = coalesce(?6, paused),
               due_at = coalesce(?7, due_at), polling = coalesce(?8, polling)
           WHERE id = ?1`,
          patchValues(id, patch),
        )
        return find(database, id)
      })
    },

    remove(id: string): boolean {
      return database.run('DELETE FROM sources WHERE id = ?', [id]) > 0
    },

    lease(owner: string, now: number, until: number): boolean {
      return (
        database.run(
          `UPDATE source_poller SET owner = :owner, lease_until = :until
           WHERE owner IS NULL OR owner = :owner OR lease_until <= :now`,
          { owner, now, until },
        ) > 0
      )
    },

    release(owner: string): void {
      database.run('UPDATE source_poller SET owner = NULL WHERE owner = ?', [owner])
    },

    due(now: number, limit: number): DueSource[] {
      return database
        .all<DueSourceRow>(
          `SELECT id, kind, url, url_key, publisher, every_minutes, paused, created_at, due_at, polling
           FROM sources WHERE paused = 0 AND due_at <= ? ORDER BY due_at, id LIMIT +?`,
          [now, limit],
        )
        .map(dueSourceOf)
    },

    recordPoll({ sourceId, url, polling, dueAt }: PollRecord): void {
      database.run('UPDATE sources SET polling = ?, due_at = ? WHERE id = ? AND url = ?', [
        JSON.stringify(polling),
        dueAt,
        sourceId,
        url,
      ])
    },
  }
}

function isTaken(database: Database, urlKey: string, exceptId: string): boolean {
  return database.get('SELECT 1 FROM sources WHERE url_key = ? AND id <> ?', [urlKey, exceptId]) !== undefined
}

function find(database: Database, id: string): NewsSource | null {
  const row = database.get<SourceRow>(
    `SELECT sources.*,
            (SELECT count(*)
             FROM source_items
             JOIN source_item_incidents ON item_id = source_items.id AND role = 'report'
             JOIN incidents ON incidents.id = incident_id AND incidents.status = 'confirmed'
             WHERE source_id = sources.id) AS confirmed
     FROM sources WHERE id = ?`,
    [id],
  )
  return row === undefined ? null : sourceOf(row)
}
