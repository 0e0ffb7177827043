import type { HistoryEntry } from '../../../domain/desk/moderation-record.ts'
import { type HistoryRow, historyEntryOf, historyEntryValues } from '../../shared/rows/incident-rows.ts'
import type { HistoryWrite } from '../../shared/write-plan.ts'
import type { Query } from '../connection/connection.ts'

export async function historyOf(query: Query, id: string): Promise<HistoryEntry[]> {
  const rows = await query<HistoryRow>(
    `SELECT step, version, at, key_id, actor, note, fields, step_id, account_id, changes, other
     FROM steps WHERE incident_id = $1 ORDER BY id`,
    [id],
  )
  return rows.map(historyEntryOf)
}

/** Inserts one by one: few saves have history entries, and imports have none. */
export async function addHistoryEntries(query: Query, entries: readonly HistoryWrite[]): Promise<void> {
  for (const { incidentId, entry } of entries) {
    await query(
      `INSERT INTO steps (incident_id, step, version, at, key_id, actor, note, fields, step_id, account_id, changes, other)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [incidentId, ...historyEntryValues(entry)],
    )
  }
}
