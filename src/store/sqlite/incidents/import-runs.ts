import type { ImportBatch, ImportCheckpoint } from '../../store.ts'
import type { Database } from '../connection/database.ts'

// These run within the transaction of the save that they belong to.

/**
 * Notes what the batch makes of each incident, with its text before. Called before the incidents
 * are written. A run that changes an incident twice keeps the first text.
 */
export function saveStoredBefore(database: Database, { run, changes }: ImportBatch): void {
  if (run === null) return
  for (const { incidentId, outcome, version, poorerFields } of changes) {
    database.run(
      `INSERT INTO import_changes (import_id, incident_id, outcome, version, poorer_fields, before_document, before_dossier)
       SELECT :importId, :incidentId, :outcome, :version, :poorerFields, stored.document, stored.dossier
       FROM (SELECT 1) LEFT JOIN incidents AS stored ON stored.id = :incidentId AND :outcome = 'updated'
       WHERE TRUE
       ON CONFLICT (import_id, incident_id) DO UPDATE
       SET version = excluded.version, poorer_fields = excluded.poorer_fields,
           outcome = CASE WHEN outcome = 'poorer' THEN excluded.outcome ELSE outcome END,
           before_document = CASE WHEN outcome = 'poorer' THEN excluded.before_document ELSE before_document END,
           before_dossier = CASE WHEN outcome = 'poorer' THEN excluded.before_dossier ELSE before_dossier END`,
      { importId: run.id, incidentId, outcome, version, poorerFields: JSON.stringify(poorerFields) },
    )
  }
}

export function saveBatch(database: Database, { checkpoint, run, undone, pairs = [] }: ImportBatch, now: number): void {
  if (checkpoint !== null) saveCheckpoint(database, checkpoint, now)
  if (run === null) return
  for (const { incidentId, versionBefore, version } of undone) {
    database.run(
      `UPDATE import_changes SET undone_at = ?, before_document = NULL, before_dossier = NULL
       WHERE import_id = ? AND incident_id = ?`,
      [now, run.id, incidentId],
    )
    // The incident is what an earlier run had made of it: that one can be undone next.
    if (versionBefore !== null)
      database.run(
        `UPDATE import_changes SET version = ?
         WHERE incident_id = ? AND version = ? AND undone_at IS NULL AND outcome <> 'poorer'`,
        [version, incidentId, versionBefore],
      )
  }
  for (const { incidentId, otherId, score } of pairs)
    database.run(
      `INSERT INTO duplicate_pairs (incident_id, other_id, import_id, score, proposed_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      [incidentId, otherId, run.id, score, now],
    )
  database.run('UPDATE import_runs SET state = ?, report = ?, updated_at = ? WHERE id = ?', [
    run.state,
    JSON.stringify(run.report),
    now,
    run.id,
  ])
}

function saveCheckpoint(database: Database, { id, checkpoint }: ImportCheckpoint, now: number): void {
  database.run(
    `INSERT INTO imports (id, checkpoint, updated_at) VALUES (?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET checkpoint = excluded.checkpoint, updated_at = excluded.updated_at`,
    [id, checkpoint, now],
  )
}
