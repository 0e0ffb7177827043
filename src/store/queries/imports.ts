import type { ImportReport } from '../../domain/import-report.ts'
import type { DuplicatePair, ImportChange, ImportRun, Imports, StoredBefore } from '../store.ts'
import { among, bigint, plain, shared, text } from './dialect.ts'
import { first, type QueriesOf, type Query, rows, run, sql } from './query.ts'

const RUN = shared('id, started_at AS "startedAt", updated_at AS "updatedAt", state, report')

type RunRow = Omit<ImportRun, 'report'> & { readonly report: string }

function runOf(row: RunRow): ImportRun {
  return { ...row, report: JSON.parse(row.report) as ImportReport }
}

type ChangeRow = Omit<ImportChange, 'poorerFields' | 'before'> & {
  readonly poorer_fields: string
  readonly before_document: string | null
  readonly before_dossier: string | null
}

function changeOf({ poorer_fields, before_document, before_dossier, ...row }: ChangeRow): ImportChange {
  const before: StoredBefore | null =
    before_document === null ? null : { document: before_document, moderation: before_dossier }
  return { ...row, poorerFields: JSON.parse(poorer_fields) as string[], before }
}

export const imports = {
  *findCheckpoint(id) {
    const row = yield* first<{ checkpoint: string }>(sql`SELECT checkpoint FROM imports WHERE id = ${id}`)
    return row?.checkpoint ?? null
  },

  *deleteCheckpoint(id) {
    yield* run(sql`DELETE FROM imports WHERE id = ${id}`)
  },

  *begin({ id, startedAt, updatedAt, state, report }) {
    yield* run(
      sql`INSERT INTO import_runs (id, started_at, updated_at, state, report)
          VALUES (${id}, ${startedAt}, ${updatedAt}, ${state}, ${JSON.stringify(report)})`,
    )
  },

  *record(id, state, report, now) {
    const changed = yield* run(
      sql`UPDATE import_runs SET state = ${state}, report = ${JSON.stringify(report)}, updated_at = ${now}
          WHERE id = ${id}`,
    )
    return changed > 0
  },

  *find(id) {
    const row = yield* first<RunRow>(sql`SELECT ${RUN} FROM import_runs WHERE id = ${id}`)
    return row === undefined ? null : runOf(row)
  },

  *list(before, limit) {
    const { startedAt = null, id = null } = before ?? {}
    const found = yield* rows<RunRow>(
      sql`SELECT ${RUN} FROM import_runs
          WHERE ${text(id)} IS NULL OR (started_at, id) < (${bigint(startedAt)}, ${text(id)})
          ORDER BY started_at DESC, id DESC
          LIMIT ${plain(limit)}`,
    )
    return found.map(runOf)
  },

  *changes(id, afterIncidentId, limit) {
    const found = yield* rows<ChangeRow>(
      sql`SELECT incident_id AS "incidentId", outcome, version, poorer_fields, before_document, before_dossier,
                 undone_at AS "undoneAt",
                 (SELECT later.import_id FROM import_changes AS later
                  WHERE later.incident_id = import_changes.incident_id AND later.version > import_changes.version
                    AND later.undone_at IS NULL AND later.outcome <> 'poorer'
                  ORDER BY later.version DESC LIMIT 1) AS "laterImport"
          FROM import_changes
          WHERE import_id = ${id} AND incident_id > ${afterIncidentId ?? ''}
          ORDER BY incident_id
          LIMIT ${plain(limit)}`,
    )
    return found.map(changeOf)
  },

  pairs: (id, limit) =>
    rows<DuplicatePair>(
      sql`SELECT incident_id AS "incidentId", other_id AS "otherId", score FROM duplicate_pairs
          WHERE import_id = ${id} ORDER BY score DESC, incident_id, other_id LIMIT ${plain(limit)}`,
    ),

  *offeredPairs(pairs) {
    const ids = [...new Set(pairs.flatMap(({ incidentId, otherId }) => [incidentId, otherId]))]
    const offered = yield* rows<{ one: string; other: string }>(
      sql`SELECT incident_id AS one, other_id AS other FROM duplicate_pairs
          WHERE incident_id ${among(ids)} AND other_id ${among(ids)}`,
    )
    const known = new Set(offered.flatMap(({ one, other }) => [`${one} ${other}`, `${other} ${one}`]))
    return pairs.filter(({ incidentId, otherId }) => known.has(`${incidentId} ${otherId}`))
  },
} satisfies QueriesOf<Imports>

/** A redacted incident cannot be put back to what it was. */
export function* forgetStoredBefore(incidentIds: readonly string[]): Query<void> {
  yield* run(
    sql`UPDATE import_changes SET before_document = NULL, before_dossier = NULL
        WHERE incident_id ${among(incidentIds)}`,
  )
}
