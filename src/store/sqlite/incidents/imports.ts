import type { ImportReport, ImportState } from '../../../domain/import-report.ts'
import {
  type ImportChangeRow,
  type ImportRunRow,
  importChangeOf,
  importRunOf,
  importRunValues,
} from '../../shared/rows/import-rows.ts'
import type { DuplicatePair, ImportChange, ImportPosition, ImportRun } from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function imports(database: Database) {
  return {
    findCheckpoint(id: string): string | null {
      const row = database.get<{ checkpoint: string }>('SELECT checkpoint FROM imports WHERE id = ?', [id])
      return row?.checkpoint ?? null
    },

    deleteCheckpoint(id: string): void {
      database.run('DELETE FROM imports WHERE id = ?', [id])
    },

    begin(run: ImportRun): void {
      database.run(
        'INSERT INTO import_runs (id, started_at, updated_at, state, report) VALUES (?, ?, ?, ?, ?)',
        importRunValues(run),
      )
    },

    record(id: string, state: ImportState, report: ImportReport, now: number): boolean {
      return (
        database.run('UPDATE import_runs SET state = ?, report = ?, updated_at = ? WHERE id = ?', [
          state,
          JSON.stringify(report),
          now,
          id,
        ]) > 0
      )
    },

    find(id: string): ImportRun | null {
      const row = database.get<ImportRunRow>('SELECT * FROM import_runs WHERE id = ?', [id])
      return row === undefined ? null : importRunOf(row)
    },

    list(before: ImportPosition | null, limit: number): ImportRun[] {
      return database
        .all<ImportRunRow>(
          `SELECT * FROM import_runs
           WHERE :id IS NULL OR (started_at, id) < (:startedAt, :id)
           ORDER BY started_at DESC, id DESC
           LIMIT +:limit`,
          { startedAt: before?.startedAt ?? null, id: before?.id ?? null, limit },
        )
        .map(importRunOf)
    },

    changes(id: string, afterIncidentId: string | null, limit: number): ImportChange[] {
      return database
        .all<ImportChangeRow>(
          `SELECT incident_id, outcome, version, poorer_fields, before_document, before_dossier, undone_at,
                  (SELECT later.import_id FROM import_changes AS later
                   WHERE later.incident_id = import_changes.incident_id AND later.version > import_changes.version
                     AND later.undone_at IS NULL AND later.outcome <> 'poorer'
                   ORDER BY later.version DESC LIMIT 1) AS later_import
           FROM import_changes
           WHERE import_id = :id AND incident_id > :after
           ORDER BY incident_id
           LIMIT +:limit`,
          { id, after: afterIncidentId ?? '', limit },
        )
        .map(importChangeOf)
    },

    pairs(id: string, limit: number): DuplicatePair[] {
      return database
        .all<DuplicatePair>(
          `SELECT incident_id AS incidentId, other_id AS otherId, score FROM duplicate_pairs
           WHERE import_id = ? ORDER BY score DESC, incident_id, other_id LIMIT +?`,
          [id, limit],
        )
        .map((pair) => ({ ...pair }))
    },

    offeredPairs(pairs: readonly DuplicatePair[]): DuplicatePair[] {
      return pairs.filter(
        ({ incidentId, otherId }) =>
          database.get(
            `SELECT 1 FROM duplicate_pairs
             WHERE (incident_id = :one AND other_id = :other) OR (incident_id = :other AND other_id = :one)`,
            { one: incidentId, other: otherId },
          ) !== undefined,
      )
    },
  }
}
