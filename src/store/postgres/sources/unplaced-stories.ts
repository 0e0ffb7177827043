import { type StoryRow, storyOf } from '../../shared/rows/source-rows.ts'
import type { Sources } from '../../sources.ts'
import type { PostgresConnection } from '../connection/connection.ts'

export function unplacedStories(connection: PostgresConnection): Pick<Sources, 'openStories' | 'closeStory'> {
  return {
    async openStories(before, limit) {
      const rows = await connection.query<StoryRow>(
        `SELECT source_items.id, source_id, unplaced_stories.publisher, title, url, text, published_at, found_at,
                (SELECT json_agg(DISTINCT incident_id)::text FROM source_item_incidents
                 WHERE item_id = source_items.id) AS incidents
         FROM unplaced_stories JOIN source_items ON source_items.id = item_id
         WHERE $2::text IS NULL OR (found_at, item_id) < ($1::bigint, $2::text)
         ORDER BY found_at DESC, item_id DESC LIMIT $3`,
        [before?.foundAt ?? null, before?.id ?? null, limit],
      )
      return rows.map(storyOf)
    },

    closeStory(id, incidentIds) {
      return connection.transaction(async (query) => {
        const closed = await query('DELETE FROM unplaced_stories WHERE item_id = $1 RETURNING item_id', [id])
        if (closed.length === 0) return false
        if (incidentIds.length === 0) return true
        await query(
          `INSERT INTO source_item_incidents (incident_id, item_id, role)
           SELECT unnest($1::text[]), $2, 'report' ON CONFLICT DO NOTHING`,
          [incidentIds, id],
        )
        await query(
          'UPDATE sources SET queued = queued + $1 WHERE id = (SELECT source_id FROM source_items WHERE id = $2)',
          [incidentIds.length, id],
        )
        await query(`UPDATE source_items SET state = 'queued' WHERE id = $1`, [id])
        return true
      })
    },
  }
}
