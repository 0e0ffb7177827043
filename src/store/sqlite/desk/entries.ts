import { type DeskEntryWrite, missingEntryOf } from '../../shared/rows/desk-rows.ts'
import { type IncidentRecordRow, incidentRecordOf } from '../../shared/rows/incident-rows.ts'
import type { Database } from '../connection/database.ts'

/** Writes within the caller's transaction. A change of status ends the claim. */
export function writeEntries(database: Database, entries: readonly DeskEntryWrite[]): void {
  for (const entry of entries) {
    const { mayAdd, ...values } = entry
    if (mayAdd) addOrChange(database, values)
    else change(database, values)
  }
}

type EntryValues = Omit<DeskEntryWrite, 'mayAdd'>

function addOrChange(database: Database, values: EntryValues): void {
  database.run(
    `INSERT INTO desk_entries (id, revision, status, version, origin, state, lga, type, severity, confidence,
                               reported_at, occurred_at, lat, lng, search)
     VALUES (:id, :revision, :status, :version, coalesce(:origin, 'api'), :state, :lga, :type, :severity, :confidence,
             :reportedAt, :occurredAt, :lat, :lng, :search)
     ON CONFLICT (id) DO UPDATE
     SET revision = excluded.revision, status = excluded.status, version = excluded.version,
         origin = coalesce(:origin, origin), state = excluded.state, lga = excluded.lga, type = excluded.type,
         severity = excluded.severity, confidence = excluded.confidence, reported_at = excluded.reported_at,
         occurred_at = excluded.occurred_at, lat = excluded.lat, lng = excluded.lng, search = excluded.search,
         claimed_by = CASE WHEN status = excluded.status THEN claimed_by END,
         claim_name = CASE WHEN status = excluded.status THEN claim_name END,
         claimed_until = CASE WHEN status = excluded.status THEN claimed_until END`,
    { ...values, revision: nextRevision(database) },
  )
}

function change(database: Database, { origin, ...values }: EntryValues): void {
  const { id } = values
  if (database.get('SELECT 1 FROM desk_entries WHERE id = ?', [id]) === undefined) return
  addOrChange(database, { origin, ...values })
}

export function nextRevision(database: Database): number {
  database.hasNotified = true
  return database.get<{ revision: number }>('UPDATE desk_head SET revision = revision + 1 RETURNING revision')!.revision
}

export function addMissingEntries(database: Database, limit: number): number {
  return database.transaction(() => {
    const rows = database.all<IncidentRecordRow>(
      `SELECT document, dossier, NULL AS claimed_by, NULL AS claim_name, NULL AS claimed_until FROM incidents
       WHERE status <> 'confirmed' AND NOT EXISTS (SELECT 1 FROM desk_entries WHERE desk_entries.id = incidents.id)
       LIMIT +?`,
      [limit],
    )
    writeEntries(
      database,
      rows.map((row) => missingEntryOf(incidentRecordOf(row))),
    )
    return rows.length
  })
}
