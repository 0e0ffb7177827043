import type { Incident } from '../../domain/incident.ts'
import {
  type HistoryRow,
  historyEntryOf,
  type IncidentRecordRow,
  incidentRecordOf,
} from '../shared/rows/incident-rows.ts'
import type { CurrentIncident, Incidents } from '../store.ts'
import { among, plain } from './dialect.ts'
import { type QueriesOf, rows, sql } from './query.ts'
import { savePlan } from './save.ts'

export const incidents = {
  save: savePlan,

  current: (ids) =>
    rows<CurrentIncident>(
      sql`SELECT id, status, document,
                 (SELECT max(seq) FROM events WHERE incident_id = incidents.id AND document IS NOT NULL) AS seq
          FROM incidents WHERE id ${among(ids)}`,
    ),

  *find(id) {
    const [row] = yield* rows<{ document: string }>(sql`SELECT document FROM incidents WHERE id = ${id}`)
    return row === undefined ? null : (JSON.parse(row.document) as Incident)
  },

  *findRecords(ids) {
    const found = yield* rows<IncidentRecordRow>(
      sql`SELECT document, dossier, claimed_by, claim_name, claimed_until
          FROM incidents LEFT JOIN desk_entries ON desk_entries.id = incidents.id
          WHERE incidents.id ${among(ids)}`,
    )
    return found.map(incidentRecordOf)
  },

  *openReports(from, to, limit) {
    const found = yield* rows<{ document: string }>(
      sql`SELECT document FROM incidents
          WHERE status = 'reported' AND occurred_at BETWEEN ${from} AND ${to}
          ORDER BY occurred_at DESC
          LIMIT ${plain(limit)}`,
    )
    return found.map(({ document }) => JSON.parse(document) as Incident)
  },

  *history(id) {
    const found = yield* rows<HistoryRow>(
      sql`SELECT step, version, at, key_id, actor, note, fields, step_id, account_id, changes, other
          FROM steps WHERE incident_id = ${id} ORDER BY id`,
    )
    return found.map(historyEntryOf)
  },
} satisfies Omit<QueriesOf<Incidents>, 'save' | 'snapshot'> & { save: typeof savePlan }
