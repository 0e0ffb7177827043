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
import type { Sources } from '../../sources.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'
import { items } from './items.ts'
import { proposals } from './proposals.ts'
import { unplacedStories } from './unplaced-stories.ts'

export function sources(
  connection: PostgresConnection,
): Omit<Sources, 'saveItem'> & Pick<ReturnType<typeof items>, 'saveItem'> {
  return {
    ...items(connection),
    ...proposals(connection),
    ...unplacedStories(connection),

    add(source, max) {
      return connection.transaction(async (query) => {
        await lockSources(query)
        if (await isTaken(query, source.urlKey, source.id)) return 'taken'
        const [{ count } = { count: 0 }] = await query<{ count: number }>('SELECT count(*) AS count FROM sources')
        if (count >= max) return 'full'
        await query(
          `INSERT INTO sources (id, kind, url, url_key, publisher, every_minutes, paused, created_at, due_at, polling)
           VALUES ($1, $2, $3, $4, $5, $6, $7::integer::boolean, $8, $9, $10)`,
          sourceValues(source),
        )
        return (await find(query, source.id))!
      })
    },

    find: (id) => find(connection.query, id),

    async list() {
      const rows = await connection.query<SourceRow>(
        `SELECT sources.*,
                (SELECT count(*)
                 FROM source_items
                 JOIN source_item_incidents ON item_id = source_items.id AND role = 'report'
                 JOIN incidents ON incidents.id = incident_id AND incidents.status = 'confirmed'
                 WHERE source_id = sources.id) AS confirmed
         FROM sources ORDER BY publisher, id`,
      )
      return rows.map(sourceOf)
    },

    async pollStates() {
      return (await connection.query<DueSourceRow>('SELECT paused, polling FROM sources')).map(pollStateOf)
    },

    change(id, patch) {
      return connection.transaction(async (query) => {
        await lockSources(query)
        if (patch.urlKey !== undefined && (await isTaken(query, patch.urlKey, id))) return 'taken'
        await query(
          `UPDATE sources
           SET url = coalesce($2, url), url_key = coalesce($3, url_key), publisher = coalesce($4, publisher),
               every_minutes = coalesce($5, every_minutes), paused = coalesce($6::integer::boolean, paused),
               due_at = coalesce($7, due_at), polling = coalesce($8, polling)
           WHERE id = $1`,
          patchValues(id, patch),
        )
        return find(query, id)
      })
    },

    async remove(id) {
      return (await connection.query('DELETE FROM sources WHERE id = $1 RETURNING id', [id])).length > 0
    },

    async lease(owner, now, until) {
      const leased = await connection.query(
        `UPDATE source_poller SET owner = $1, lease_until = $3
         WHERE owner IS NULL OR owner = $1 OR lease_until <= $2
         RETURNING owner`,
        [owner, now, until],
      )
      return leased.length > 0
    },

    async release(owner) {
      await connection.query('UPDATE source_poller SET owner = NULL WHERE owner = $1', [owner])
    },

    async due(now, limit) {
      const rows = await connection.query<DueSourceRow>(
        `SELECT id, kind, url, url_key, publisher, every_minutes, paused, created_at, due_at, polling
         FROM sources WHERE NOT paused AND due_at <= $1 ORDER BY due_at, id LIMIT $2`,
        [now, limit],
      )
      return rows.map(dueSourceOf)
    },

    async recordPoll({ sourceId, url, polling, dueAt }) {
      await connection.query('UPDATE sources SET polling = $1, due_at = $2 WHERE id = $3 AND url = $4', [
        JSON.stringify(polling),
        dueAt,
        sourceId,
        url,
      ])
    },
  }
}

/**
 * One at a time adds or moves a source, so that addresses and their number are checked in order.
 */
async function lockSources(query: Query): Promise<void> {
  await query('LOCK TABLE sources IN SHARE ROW EXCLUSIVE MODE')
}

async function isTaken(query: Query, urlKey: string, exceptId: string): Promise<boolean> {
  const rows = await query('SELECT id FROM sources WHERE url_key = $1 AND id <> $2', [urlKey, exceptId])
  return rows.length > 0
}

async function find(query: Query, id: string): Promise<NewsSource | null> {
  const [row] = await query<SourceRow>(
    `SELECT sources.*,
            (SELECT count(*)
             FROM source_items
             JOIN source_item_incidents ON item_id = source_items.id AND role = 'report'
             JOIN incidents ON incidents.id = incident_id AND incidents.status = 'confirmed'
             WHERE source_id = sources.id) AS confirmed
     FROM sources WHERE id = $1`,
    [id],
  )
  return row === undefined ? null : sourceOf(row)
}
