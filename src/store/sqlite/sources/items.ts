import type { ItemState, NewsItem } from '../../../domain/sources.ts'
import { type ItemRow, itemOf, itemValues, proposalValues } from '../../shared/rows/source-rows.ts'
import type { WritePlan } from '../../shared/write-plan.ts'
import type { ItemPosition, ItemWrite, SimilarItem } from '../../sources.ts'
import type { Database } from '../connection/database.ts'
import { savePlan } from '../incidents/incidents.ts'

const DAY_MS = 86_400_000

export function items(database: Database) {
  return {
    knownItems(ids: readonly string[], now: number): string[] {
      return database.transaction(() => {
        const list = JSON.stringify(ids)
        database.run(
          `UPDATE source_items SET last_seen_at = ?1
           WHERE id IN (SELECT value FROM json_each(?2)) AND last_seen_at < ?3`,
          [now, list, now - DAY_MS],
        )
        return database
          .all<{ id: string }>('SELECT id FROM source_items WHERE id IN (SELECT value FROM json_each(?))', [list])
          .map(({ id }) => id)
      })
    },

    findItemByUrl(urlKey: string): string | null {
      const row = database.get<{ id: string }>(
        'SELECT id FROM source_items WHERE url_key = ? ORDER BY first_seen_at, id LIMIT 1',
        [urlKey],
      )
      return row?.id ?? null
    },

    similarItems(bands: readonly number[], since: number, limit: number): SimilarItem[] {
      return database
        .all<SimilarItem>(
          `SELECT id, fingerprint, gist FROM source_items
           WHERE id IN (SELECT item_id FROM source_item_bands WHERE band IN (SELECT value FROM json_each(?)))
             AND first_seen_at > ?
           ORDER BY first_seen_at DESC, id DESC LIMIT +?`,
          [JSON.stringify(bands), since, limit],
        )
        .map((row) => ({ ...row }))
    },

    saveItem(owner: string, write: ItemWrite, plan: WritePlan): boolean {
      return database.transaction(() => {
        if (database.get('SELECT 1 FROM source_poller WHERE owner = ?', [owner]) === undefined) return false
        const added = database.run(
          `INSERT INTO source_items (id, source_id, state, title, url, url_key, published_at, first_seen_at,
                                     last_seen_at, fingerprint, gist, duplicate_of)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT DO NOTHING`,
          itemValues(write),
        )
        if (added === 0) return false
        addParts(database, write)
        savePlan(database, plan)
        return true
      })
    },

    listItems(sourceId: string, state: ItemState | null, before: ItemPosition | null, limit: number): NewsItem[] {
      return database
        .all<ItemRow>(
          `SELECT id, source_id, state, title, url, published_at, first_seen_at, duplicate_of,
                  (SELECT json_group_array(DISTINCT incident_id) FROM source_item_incidents
                   WHERE item_id = source_items.id) AS incidents
           FROM source_items
           WHERE source_id = :sourceId AND (:state IS NULL OR state = :state)
             AND (:id IS NULL OR (first_seen_at, id) < (:firstSeenAt, :id))
           ORDER BY first_seen_at DESC, id DESC LIMIT +:limit`,
          { sourceId, state, firstSeenAt: before?.firstSeenAt ?? null, id: before?.id ?? null, limit },
        )
        .map(itemOf)
    },

    deleteExpired(time: number, limit: number): number {
      return database.transaction(() => {
        const ids = database.all<{ id: string }>(
          `SELECT id FROM source_items
           WHERE last_seen_at < ?
             AND NOT EXISTS (SELECT 1 FROM proposed_sources WHERE item_id = source_items.id AND state = 'open')
           LIMIT +?`,
          [time, limit],
        )
        for (const { id } of ids) {
          database.run('DELETE FROM proposed_sources WHERE item_id = ?', [id])
          database.run('DELETE FROM source_items WHERE id = ?', [id])
        }
        return ids.length
      })
    },
  }
}

/** Runs within the caller's transaction. */
function addParts(database: Database, { item, bands, reports, proposals, unplaced }: ItemWrite): void {
  for (const band of bands) database.run('INSERT INTO source_item_bands (band, item_id) VALUES (?, ?)', [band, item.id])
  const addIncident = (incidentId: string, role: string) =>
    database.run('INSERT INTO source_item_incidents (incident_id, item_id, role) VALUES (?, ?, ?)', [
      incidentId,
      item.id,
      role,
    ])
  for (const { incident } of reports) addIncident(incident.id, 'report')
  for (const incidentId of new Set(proposals.map((each) => each.incidentId))) addIncident(incidentId, 'proposal')
  for (const proposal of proposals)
    database.run(
      `INSERT INTO proposed_sources (id, incident_id, item_id, state, proposed_at, decided_at, score, content)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      proposalValues(proposal),
    )
  if (unplaced !== null)
    database.run('INSERT INTO unplaced_stories (item_id, publisher, text, found_at) VALUES (?, ?, ?, ?)', [
      item.id,
      unplaced.publisher,
      unplaced.text,
      item.firstSeenAt,
    ])
  database.run('UPDATE sources SET items = items + 1, queued = queued + ?, proposed = proposed + ? WHERE id = ?', [
    reports.length,
    proposals.length,
    item.sourceId,
  ])
}
