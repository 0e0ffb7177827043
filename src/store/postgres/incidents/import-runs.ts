import type { DuplicatePair, ImportBatch, ImportCheckpoint, UndoneChange } from '../../store.ts'
import type { Query } from '../connection/connection.ts'
import { textArray } from '../connection/text-array.ts'

// These run within the transaction of the save that they belong to.

/**
 * Notes what the batch makes of each incident, with its text before. Called before the incidents
 * are written. A run that changes an incident twice keeps the first text.
 */
export async function saveStoredBefore(query: Query, { run, changes }: ImportBatch): Promise<void> {
  if (run === null || changes.length === 0) return
  await query(
    `INSERT INTO import_changes (import_id, incident_id, outcome, version, poorer_fields, before_document, before_dossier)
     SELECT $1, next.incident_id, next.outcome, next.version, next.poorer_fields, stored.document, stored.dossier
     FROM unnest($2::text[], $3::text[], $4::integer[], $5::text[]) AS next (incident_id, outcome, version, poorer_fields)
     LEFT JOIN incidents AS stored ON stored.id = next.incident_id AND next.outcome = 'updated'
     ON CONFLICT (import_id, incident_id) DO UPDATE
     SET version = excluded.version, poorer_fields = excluded.poorer_fields,
         outcome = CASE WHEN import_changes.outcome = 'poorer' THEN excluded.outcome ELSE import_changes.outcome END,
         before_document = CASE WHEN import_changes.outcome = 'poorer' THEN excluded.before_document
                           ELSE import_changes.before_document END,
         before_dossier = CASE WHEN import_changes.outcome = 'poorer' THEN excluded.before_dossier
                          ELSE import_changes.before_dossier END`,
    [
      run.id,
      textArray(changes.map(({ incidentId }) => incidentId)),
      textArray(changes.map(({ outcome }) => outcome)),
      changes.map(({ version }) => version),
      textArray(changes.map(({ poorerFields }) => JSON.stringify(poorerFields))),
    ],
  )
}

export async function saveBatch(
  query: Query,
  { checkpoint, run, undone, pairs = [] }: ImportBatch,
  now: number,
): Promise<void> {
  if (checkpoint !== null) await saveCheckpoint(query, checkpoint, now)
  if (run === null) return
  if (undone.length > 0) await saveUndone(query, run.id, undone, now)
  if (pairs.length > 0) await savePairs(query, run.id, pairs, now)
  await query('UPDATE import_runs SET state = $1, report = $2, updated_at = $3 WHERE id = $4', [
    run.state,
    JSON.stringify(run.report),
    now,
    run.id,
  ])
}

async function saveUndone(query: Query, runId: string, undone: readonly UndoneChange[], now: number): Promise<void> {
  await query(
    `UPDATE import_changes SET undone_at = $1, before_document = NULL, before_dossier = NULL
     WHERE import_id = $2 AND incident_id = ANY ($3::text[])`,
    [now, runId, textArray(undone.map(({ incidentId }) => incidentId))],
  )
  // The incidents are what an earlier run had made of them: that one can be undone next.
  await query(
    `UPDATE import_changes SET version = next.version
     FROM unnest($1::text[], $2::integer[], $3::integer[]) AS next (incident_id, before, version)
     WHERE import_changes.incident_id = next.incident_id AND import_changes.version = next.before
       AND undone_at IS NULL AND outcome <> 'poorer'`,
    [
      textArray(undone.map(({ incidentId }) => incidentId)),
      undone.map(({ versionBefore }) => versionBefore),
      undone.map(({ version }) => version),
    ],
  )
}

async function savePairs(query: Query, runId: string, pairs: readonly DuplicatePair[], now: number): Promise<void> {
  await query(
    `INSERT INTO duplicate_pairs (incident_id, other_id, import_id, score, proposed_at)
     SELECT incident_id, other_id, $1, score, $2
     FROM unnest($3::text[], $4::text[], $5::double precision[]) AS next (incident_id, other_id, score)
     ON CONFLICT DO NOTHING`,
    [
      runId,
      now,
      textArray(pairs.map(({ incidentId }) => incidentId)),
      textArray(pairs.map(({ otherId }) => otherId)),
      pairs.map(({ score }) => score),
    ],
  )
}

async function saveCheckpoint(query: Query, { id, checkpoint }: ImportCheckpoint, now: number): Promise<void> {
  await query(
    `INSERT INTO imports (id, checkpoint, updated_at) VALUES ($1, $2, $3)
     ON CONFLICT (id) DO UPDATE SET checkpoint = excluded.checkpoint, updated_at = excluded.updated_at`,
    [id, checkpoint, now],
  )
}
