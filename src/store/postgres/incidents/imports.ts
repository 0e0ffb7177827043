import {
  type ImportChangeRow,
  type ImportRunRow,
  importChangeOf,
  importRunOf,
  importRunValues,
} from '../../shared/rows/import-rows.ts'
import type { DuplicatePair, Imports } from '../../store.ts'
import type { PostgresConnection } from '../connection/connection.ts'
import { textArray } from '../connection/text-array.ts'

export function imports(connection: PostgresConnection): Imports {
  return {
    async findCheckpoint(id) {
      const [row] = await connection.query<{ checkpoint: string }>('SELECT checkpoint FROM imports WHERE id = $1', [id])
      return row?.checkpoint ?? null
    },

    async deleteCheckpoint(id) {
      await connection.query('DELETE FROM imports WHERE id = $1', [id])
    },

    async begin(run) {
      await connection.query(
        'INSERT INTO import_runs (id, started_at, updated_at, state, report) VALUES ($1, $2, $3, $4, $5)',
        importRunValues(run),
      )
    },

    async record(id, state, report, now) {
      const rows = await connection.query(
        'UPDATE import_runs SET state = $1, report = $2, updated_at = $3 WHERE id = $4 RETURNING id',
        [state, JSON.stringify(report), now, id],
      )
      return rows.length > 0
    },

    async find(id) {
      const [row] = await connection.query<ImportRunRow>('SELECT * FROM import_runs WHERE id = $1', [id])
      return row === undefined ? null : importRunOf(row)
    },

    async list(before, limit) {
      const rows = await connection.query<ImportRunRow>(
        `SELECT * FROM import_runs
         WHERE $2::text IS NULL OR (started_at, id) < ($1::bigint, $2::text)
         ORDER BY started_at DESC, id DESC
         LIMIT $3`,
        [before?.startedAt ?? null, before?.id ?? null, limit],
      )
      return rows.map(importRunOf)
    },

    async changes(id, afterIncidentId, limit) {
      const rows = await connection.query<ImportChangeRow>(
        `SELECT incident_id, outcome, version, poorer_fields, before_document, before_dossier, undone_at,
                (SELECT later.import_id FROM import_changes AS later
                 WHERE later.incident_id = import_changes.incident_id AND later.version > import_changes.version
                   AND later.undone_at IS NULL AND later.outcome <> 'poorer'
                 ORDER BY later.version DESC LIMIT 1) AS later_import
         FROM import_changes
         WHERE import_id = $1 AND incident_id > $2
         ORDER BY incident_id
         LIMIT $3`,
        [id, afterIncidentId ?? '', limit],
      )
      return rows.map(importChangeOf)
    },

    pairs(id, limit) {
      return connection.query<DuplicatePair>(
        `SELECT incident_id AS "incidentId", other_id AS "otherId", score FROM duplicate_pairs
         WHERE import_id = $1 ORDER BY score DESC, incident_id, other_id LIMIT $2`,
        [id, limit],
      )
    },

    async offeredPairs(pairs) {
      const rows = await connection.query<{ place: number }>(
        `SELECT asked.place::integer AS place
         FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS asked (one, other, place)
         WHERE EXISTS (
           SELECT 1 FROM duplicate_pairs
           WHERE (incident_id = asked.one AND other_id = asked.other)
              OR (incident_id = asked.other AND other_id = asked.one))
         ORDER BY asked.place`,
        [textArray(pairs.map(({ incidentId }) => incidentId)), textArray(pairs.map(({ otherId }) => otherId))],
      )
      return rows.map(({ place }) => pairs[place - 1]!)
    },
  }
}
