import type { EventKind, Incident } from '../../domain/incident.ts'
import type { Claim, FieldChange, HistoryEntry, HistoryStep, ModerationRecord } from '../../domain/moderation.ts'
import {
  type Backups,
  type CurrentIncident,
  type EventLog,
  type IncidentRecord,
  type Incidents,
  isSameLink,
  type LogEvent,
  type LoggedVersion,
} from '../store.ts'
import { isLeftOut } from './chain.ts'
import { among, plain } from './dialect.ts'
import { logHead } from './heads.ts'
import { first, type QueriesOf, type Query, rows, sql } from './query.ts'
import { savePlan } from './save-incidents.ts'

export const incidents = {
  save: savePlan,

  current: (ids) =>
    rows<CurrentIncident>(
      sql`SELECT id, status, document,
                 (SELECT max(seq) FROM events WHERE incident_id = incidents.id AND document IS NOT NULL) AS seq
          FROM incidents WHERE id ${among(ids)}`,
    ),

  find: (id) =>
    first(sql`SELECT document FROM incidents WHERE id = ${id}`, (row: { document: string } | undefined) =>
      row === undefined ? null : (JSON.parse(row.document) as Incident),
    ),

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

/** The rows after `seq`, each with the link of the event `seq`: null if there is none. */
function rowsAfter(seq: number, limit: number): Query<(EventLogRow & { linkBefore: string | null })[]> {
  return rows(
    sql`SELECT events.seq, events.kind, events.at, events.incident_id, events.redacted, events.link,
               coalesce(events.document, incidents.document) AS document,
               (SELECT coalesce(link, '') FROM events WHERE seq = ${seq}) AS "linkBefore"
        FROM events
        LEFT JOIN incidents ON events.document IS NULL AND incidents.id = events.incident_id
        WHERE events.seq > ${seq}
        ORDER BY events.seq
        LIMIT ${plain(limit)}`,
  )
}

function* eventsAfter(seq: number, limit: number): Query<LogEvent[]> {
  return (yield* rowsAfter(seq, limit)).map(logEventOf)
}

function* linkOf(seq: number): Query<string | null> {
  const found = yield* first<{ link: string | null }>(sql`SELECT link FROM events WHERE seq = ${seq}`)
  return found === undefined ? null : (found.link ?? '')
}

export const events = {
  after: eventsAfter,

  follow: eventsAfter,

  *followHead({ seq, link }, limit) {
    const found = yield* rowsAfter(seq, limit)
    if (seq > 0) {
      const stored = found.length > 0 ? found[0]!.linkBefore : yield* linkOf(seq)
      if (stored === null ? !(yield* isLeftOut(seq)) : !isSameLink(link, stored)) return null
    }
    return found.map(logEventOf)
  },

  documentBefore: (incidentId, seq) =>
    first(
      sql`SELECT document FROM events
          WHERE incident_id = ${plain(incidentId)} AND seq < ${seq} AND document IS NOT NULL
          ORDER BY seq DESC
          LIMIT 1`,
      (row: { document: string } | undefined) => row?.document ?? null,
    ),

  versionsBefore: (incidentId, seq, limit) =>
    rows<LoggedVersion>(
      sql`SELECT seq, document FROM events
          WHERE incident_id = ${plain(incidentId)} AND seq < ${seq} AND document IS NOT NULL
          ORDER BY seq DESC
          LIMIT ${plain(limit)}`,
    ),

  *ofIncident(incidentId, limit) {
    const found = yield* rows<EventLogRow>(
      sql`SELECT seq, kind, at, incident_id, redacted, link, document FROM events
          WHERE incident_id = ${plain(incidentId)} AND document IS NOT NULL
          ORDER BY seq DESC
          LIMIT ${plain(limit)}`,
    )
    return found.map(logEventOf)
  },

  head: () => logHead(),

  linkOf,
} satisfies QueriesOf<EventLog>

export const backups = {
  *lastTakenAt() {
    const backup = yield* first<{ takenAt: number }>(sql`SELECT taken_at AS "takenAt" FROM last_backup`)
    return backup?.takenAt ?? null
  },
} satisfies QueriesOf<Backups>

interface EventLogRow {
  seq: number
  kind: string
  at: number
  incident_id: string
  document: string
  link: string | null
  /** 0 or 1 in SQLite. */
  redacted: boolean | number
}

function logEventOf(row: EventLogRow): LogEvent {
  return {
    seq: row.seq,
    kind: row.kind as EventKind,
    at: row.at,
    incidentId: row.incident_id,
    document: row.document,
    link: row.link ?? '',
    ...(row.redacted ? { redacted: true } : {}),
  }
}

export interface DeskClaimRow {
  claimed_by: string | null
  claim_name: string | null
  claimed_until: number | null
}

export function deskClaimOf({ claimed_by, claim_name, claimed_until }: DeskClaimRow): Claim | null {
  return claimed_by === null ? null : { accountId: claimed_by, name: claim_name!, until: claimed_until! }
}

export interface IncidentRecordRow extends DeskClaimRow {
  document: string
  dossier: string | null
}

export function incidentRecordOf(row: IncidentRecordRow): IncidentRecord {
  return {
    incident: JSON.parse(row.document) as Incident,
    moderation: row.dossier === null ? null : (JSON.parse(row.dossier) as ModerationRecord),
    claim: deskClaimOf(row),
  }
}

interface HistoryRow {
  step: string
  version: number
  at: number
  key_id: string
  account_id: string | null
  actor: string
  note: string | null
  fields: string
  step_id: string | null
  changes: string | null
  other: string | null
}

function historyEntryOf(row: HistoryRow): HistoryEntry {
  return {
    id: row.step_id,
    step: row.step as HistoryStep,
    version: row.version,
    at: row.at,
    by: { key_id: row.key_id, account_id: row.account_id, name: row.actor },
    note: row.note,
    fields: JSON.parse(row.fields) as string[],
    changes: row.changes === null ? [] : (JSON.parse(row.changes) as FieldChange[]),
    other: row.other,
  }
}
