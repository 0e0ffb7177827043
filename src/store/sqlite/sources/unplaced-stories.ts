import type { UnplacedStory } from '../../../domain/sources.ts'
import { type StoryRow, storyOf } from '../../shared/rows/source-rows.ts'
import type { StoryPosition } from '../../sources.ts'
import type { Database } from '../connection/database.ts'

export function unplacedStories(database: Database) {
  return {
    openStories(before: StoryPosition | null, limit: number): UnplacedStory[] {
      return database
        .all<StoryRow>(
          `SELECT source_items.id, source_id, unplaced_stories.publisher, title, url, text, published_at, found_at,
                  (SELECT json_group_array(DISTINCT incident_id) FROM source_item_incidents
                   WHERE item_id = source_items.id) AS incidents
           FROM unplaced_stories JOIN source_items ON source_items.id = item_id
           WHERE :id IS NULL OR (found_at, item_id) < (:foundAt, :id)
           ORDER BY found_at DESC, item_id DESC LIMIT +:limit`,
          { foundAt: before?.foundAt ?? null, id: before?.id ?? null, limit },
        )
        .map(storyOf)
    },

    closeStory(id: string, incidentIds: readonly string[]): boolean {
      return database.transaction(() => {
        if (database.run('DELETE FROM unplaced_stories WHERE item_id = ?', [id]) === 0) return false
        if (incidentIds.length === 0) return true
        for (const incidentId of incidentIds)
          database.run(
            `INSERT INTO source_item_incidents (incident_id, item_id, role) VALUES (?, ?, 'report')
             ON CONFLICT DO NOTHING`,
            [incidentId, id],
          )
        database.run(
          'UPDATE sources SET queued = queued + ? WHERE id = (SELECT source_id FROM source_items WHERE id = ?)',
          [incidentIds.length, id],
        )
        database.run(`UPDATE source_items SET state = 'queued' WHERE id = ?`, [id])
        return true
      })
    },
  }
}
