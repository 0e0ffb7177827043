import type { HistoryEntry } from '../../../domain/lifecycle.ts'
import { type HistoryRow, historyEntryOf, historyEntryValues } from '../../shared/rows/incident-rows.ts'
import type { HistoryWrite } from '../../shared/write-plan.ts'
import type { Database } from '../connection/database.ts'

export function historyOf(database: Database, id: string): HistoryEntry[] {
  return database
    .all<HistoryRow>(
      `SELECT step, version, at, key_id, actor, note, fields, step_id, account_id, changes, other
       FROM steps WHERE incident_id = ? ORDER BY id`,
      [id],
    )
    .map(historyEntryOf)
}

export function addHistoryEntry(database: Database, { incidentId, entry }: HistoryWrite): void {
  database.run(
    `INSERT INTO steps (incident_id, step, version, at, key_id, actor, note, fields, step_id, account_id, changes, other)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [incidentId, ...historyEntryValues(entry)],
  )
}
