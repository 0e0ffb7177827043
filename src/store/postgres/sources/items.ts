import { type ItemRow, itemOf, itemValues, proposalValues } from '../../shared/rows/source-rows.ts'
import type { WritePlan } from '../../shared/write-plan.ts'
import type { ItemWrite, SimilarItem, Sources } from '../../sources.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'
import { savePlan } from '../incidents/incidents.ts'

const DAY_MS = 86_400_000

type Items = Pick<Sources, 'knownItems' | 'findItemByUrl' | 'similarItems' | 'listItems' | 'deleteExpired'> & {
  saveItem(owner: string, write: Parameters<Sources['saveItem']>[1], plan: WritePlan): Promise<boolean>
}

export function items(connection: PostgresConnection): Items {
  return {
    knownItems(ids, now) {
      return connection.transaction(async (query) => {
        await query('UPDATE source_items SET last_seen_at = $1 WHERE id = ANY ($2) AND last_seen_at < $3', [
          now,
          ids,
          now - DAY_MS,
        ])
        const rows = await query<{ id: string }>('SELECT id FROM source_items WHERE id = ANY ($1)', [ids])
        return rows.map(({ id }) => id)
      })
    },

    async findItemByUrl(urlKey) {
      const [row] = await connection.query<{ id: string }>(
        'SELECT id FROM source_items WHERE url_key = $1 ORDER BY first_seen_at, id LIMIT 1',
        [urlKey],
      )
      return row?.id ?? null
    },

    similarItems(bands, since, limit) {
      return connection.query<SimilarItem>(
        `SELECT id, fingerprint, gist FROM source_items
         WHERE id IN (SELECT item_id FROM source_item_bands WHERE band = ANY ($1::bigint[])) AND first_seen_at > $2
         ORDER BY first_seen_at DESC, id DESC LIMIT $3`,
        [bands, since, limit],
      )
    },

    saveItem(owner: string, write: Parameters<Sources['saveItem']>[1], plan: WritePlan): Promise<boolean> {
      return connection.transaction(async (query) => {
        // Locked until the commit: nobody takes the lease meanwhile.
        const holders = await query('SELECT owner FROM source_poller WHERE owner = $1 FOR SHARE', [owner])
        if (holders.length === 0) return false
        const added = await query(
          `INSERT INTO source_items (id, source_id, state, title, url, url_key, published_at, first_seen_at,
                                     last_seen_at, fingerprint, gist, duplicate_of)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
           ON CONFLICT DO NOTHING
           RETURNING id`,
          itemValues(write),
        )
        if (added.length === 0) return false
        await savePlan(query, plan)
        await addParts(query, write)
        return true
      })
    },

    async listItems(sourceId, state, before, limit) {
      const rows = await connection.query<ItemRow>(
        `SELECT id, source_id, state, title, url, published_at, first_seen_at, duplicate_of,
                (SELECT json_agg(DISTINCT incident_id)::text FROM source_item_incidents
                 WHERE item_id = source_items.id) AS incidents
         FROM source_items
         WHERE source_id = $1 AND ($2::text IS NULL OR state = $2)
           AND ($4::text IS NULL OR (first_seen_at, id) < ($3::bigint, $4::text))
         ORDER BY first_seen_at DESC, id DESC LIMIT $5`,
        [sourceId, state, before?.firstSeenAt ?? null, before?.id ?? null, limit],
      )
      return rows.map(itemOf)
    },

    deleteExpired(time, limit) {
      return connection.transaction(async (query) => {
        const rows = await query<{ id: string }>(
          `SELECT id FROM source_items
           WHERE last_seen_at < $1
             AND NOT EXISTS (SELECT 1 FROM proposed_sources WHERE item_id = source_items.id AND state = 'open')
           LIMIT $2
           FOR UPDATE SKIP LOCKED`,
          [time, limit],
        )
        const ids = rows.map(({ id }) => id)
        await query('DELETE FROM proposed_sources WHERE item_id = ANY ($1)', [ids])
        await query('DELETE FROM source_items WHERE id = ANY ($1)', [ids])
        return ids.length
      })
    },
  }
}

/** Runs within the caller's transaction. */
async function addParts(query: Query, { item, bands, reports, proposals, unplaced }: ItemWrite): Promise<void> {
  await query('INSERT INTO source_item_bands (band, item_id) SELECT unnest($1::bigint[]), $2', [bands, item.id])
  await addIncidents(query, item.id, 'report', new Set(reports.map(({ incident }) => incident.id)))
  await addIncidents(query, item.id, 'proposal', new Set(proposals.map(({ incidentId }) => incidentId)))
  for (const proposal of proposals)
    await query(
      `INSERT INTO proposed_sources (id, incident_id, item_id, state, proposed_at, decided_at, score, content)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      proposalValues(proposal),
    )
  if (unplaced !== null)
    await query('INSERT INTO unplaced_stories (item_id, publisher, text, found_at) VALUES ($1, $2, $3, $4)', [
      item.id,
      unplaced.publisher,
      unplaced.text,
      item.firstSeenAt,
    ])
  await query('UPDATE sources SET items = items + 1, queued = queued + $1, proposed = proposed + $2 WHERE id = $3', [
    reports.length,
    proposals.length,
    item.sourceId,
  ])
}

async function addIncidents(query: Query, itemId: string, role: string, ids: ReadonlySet<string>): Promise<void> {
  await query('INSERT INTO source_item_incidents (incident_id, item_id, role) SELECT unnest($1::text[]), $2, $3', [
    [...ids],
    itemId,
    role,
  ])
}
