import type { FieldChange } from '../../domain/moderation.ts'
import type { RedactableField, RedactionRecord } from '../../domain/redaction.ts'
import {
  type Redactions,
  type RedactionWrite,
  StaleVersion,
  type StoredDocument,
  type UnsettledRedaction,
} from '../store.ts'
import { WITHOUT_SALT } from './chain.ts'
import { among, amongRows, differing, eachRow, insertedRows, isFalse, isTrue, jsonList, plain } from './dialect.ts'
import { lockedLogHead } from './heads.ts'
import { forgetStoredBefore } from './imports.ts'
import { type IncidentRecordRow, incidentRecordOf } from './incidents.ts'
import { begin, first, onPostgres, onSqlite, type QueriesOf, type Query, rows, run, sql } from './query.ts'
import { savePlan } from './save-incidents.ts'
import { forgetStories } from './sources.ts'
import { eraseContacts } from './tips.ts'
import type { AppendedEvents, WritePlan } from './write-plan.ts'

/** The tables whose overwritten rows may hold redacted content. */
export const REDACTED_TABLES = [
  'incidents',
  'events',
  'steps',
  'deliveries',
  'attempts',
  'idempotency',
  'desk_entries',
  'tips',
  'import_changes',
] as const

const POSITION_IN = differing('instr', 'strpos')
const INCIDENT_LIST = jsonList('incident_id')
const UNSETTLED = isFalse('settled')
const DOCUMENT = eachRow('next', { seq: 'bigint', document: 'text' })
const ENTRY = eachRow('next', { id: 'bigint', note: 'text', changes: 'text' })
const TOUCHED = insertedRows({ incident_id: 'text', redaction_id: 'text' })

interface RedactionRow {
  readonly id: string
  readonly incidentId: string
  /** JSON list of ids. */
  readonly incidents: string
  readonly at: number
  readonly key_id: string
  readonly account_id: string | null
  readonly actor: string
  readonly fields: string
  readonly found: string
  readonly reason: string
  readonly erasedAt: number | null
}

export const redactions = {
  /** Looks through all merged reports: the record has the only mention of where one went. */
  *mergedInto(incidentId) {
    const found = yield* rows<{ id: string }>(
      sql`SELECT id FROM incidents
          WHERE status = 'merged' AND ${POSITION_IN}(dossier, ${`"merged_into":"${incidentId}"`}) > 0`,
    )
    return found.map(({ id }) => id)
  },

  *read(incidentIds) {
    yield* begin()
    // All of it at one moment.
    yield* onPostgres(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`)
    const records = yield* rows<IncidentRecordRow>(
      sql`SELECT document, dossier, claimed_by, claim_name, claimed_until
          FROM incidents LEFT JOIN desk_entries ON desk_entries.id = incidents.id
          WHERE incidents.id ${among(incidentIds)}`,
    )
    const events = yield* rows<StoredDocument>(
      sql`SELECT seq, incident_id AS "incidentId", document FROM events
          WHERE incident_id ${among(incidentIds)} AND document IS NOT NULL
          ORDER BY seq`,
    )
    const entries = yield* rows<{ row: number; note: string | null; changes: string | null }>(
      sql`SELECT id AS row, note, changes FROM steps WHERE incident_id ${among(incidentIds)} ORDER BY id`,
    )
    const historyEntries = entries.map(({ changes, ...entry }) => ({
      ...entry,
      changes: JSON.parse(changes ?? '[]') as FieldChange[],
    }))
    return { records: records.map(incidentRecordOf), events, historyEntries }
  },

  /** `plan` is that of the changes. Returns the log's head after its events. */
  *apply(
    { record, read, events, historyEntries, contacts }: Omit<RedactionWrite, 'changes'>,
    plan: WritePlan,
  ): Query<AppendedEvents> {
    yield* begin()
    // Locks the log's head first, as every save does: nothing is added from here on.
    yield* lockedLogHead()
    const stored = yield* countContent(record.incidentIds)
    if (read.events.length !== stored.events || read.historyEntries.length !== stored.entries)
      throw new StaleVersion(record.incidentId)
    yield* run(
      sql`UPDATE events SET document = ${DOCUMENT.document}, seal = ${WITHOUT_SALT}
          ${DOCUMENT.from(events.map(({ seq, document }) => [seq, document]))} WHERE events.seq = ${DOCUMENT.seq}`,
    )
    yield* run(
      sql`UPDATE steps SET note = ${ENTRY.note}, changes = ${ENTRY.changes}
          ${ENTRY.from(historyEntries.map(({ row, note, changes }) => [row, note, JSON.stringify(changes)]))}
          WHERE steps.id = ${ENTRY.id}`,
    )
    const head = yield* savePlan(plan)
    yield* run(sql`UPDATE events SET redacted = true WHERE seq > ${head.seq - plan.events.length}`)
    yield* eraseContacts(contacts)
    yield* addRecord(record)
    yield* forgetStories(record.incidentIds)
    yield* forgetStoredBefore(record.incidentIds)
    for (const id of record.incidentIds) yield* clearRequestAnswers(id, plan.now, Number.MAX_SAFE_INTEGER)
    return head
  },

  *list(incidentId) {
    const found = yield* rows<RedactionRow>(
      sql`SELECT redactions.id, redactions.incident_id AS "incidentId", at, key_id, account_id, actor, fields, found,
                 reason, erased_at AS "erasedAt",
                 (SELECT ${INCIDENT_LIST} FROM redacted_incidents WHERE redaction_id = redactions.id) AS incidents
          FROM redacted_incidents JOIN redactions ON redactions.id = redacted_incidents.redaction_id
          WHERE redacted_incidents.incident_id = ${incidentId}
          ORDER BY at, redactions.id`,
    )
    return found.map(({ incidents, key_id, account_id, actor, fields, found: counts, ...row }) => ({
      ...row,
      incidentIds: (JSON.parse(incidents) as string[]).sort(),
      by: { key_id, account_id, name: actor },
      fields: JSON.parse(fields) as RedactableField[],
      found: JSON.parse(counts) as number[],
    }))
  },

  unsettled: (limit) =>
    rows<UnsettledRedaction>(
      sql`SELECT id, at, erased_at AS "erasedAt" FROM redactions WHERE ${UNSETTLED} ORDER BY at LIMIT ${plain(limit)}`,
    ),

  *clearAnswers(redactionId, limit) {
    yield* begin()
    const touched = yield* rows<{ incidentId: string; at: number }>(
      sql`SELECT redacted_incidents.incident_id AS "incidentId", at
          FROM redacted_incidents JOIN redactions ON redactions.id = redaction_id
          WHERE redaction_id = ${redactionId}`,
    )
    let cleared = 0
    for (const { incidentId, at } of touched) {
      cleared += yield* clearEndpointAnswers(incidentId, limit)
      cleared += yield* clearRequestAnswers(incidentId, at, limit)
    }
    return cleared + (yield* clearTestAnswers(touched[0]?.at ?? 0, limit))
  },

  *recordErased(redactionId, at, settled) {
    yield* run(sql`UPDATE redactions SET erased_at = ${at}, settled = ${settled} WHERE id = ${redactionId}`)
  },
} satisfies Omit<QueriesOf<Redactions>, 'apply' | 'erase'> & { apply: unknown }

function* countContent(incidentIds: readonly string[]): Query<{ events: number; entries: number }> {
  const counts = yield* first<{ events: number; entries: number }>(
    sql`SELECT (SELECT count(*) FROM events
                WHERE incident_id ${among(incidentIds)} AND document IS NOT NULL) AS events,
               (SELECT count(*) FROM steps WHERE incident_id ${among(incidentIds)}) AS entries`,
  )
  return counts!
}

function* addRecord(record: RedactionRecord): Query<void> {
  const { id, incidentId, at, by, fields, found, reason, erasedAt } = record
  yield* run(
    sql`INSERT INTO redactions (id, incident_id, at, key_id, account_id, actor, fields, found, reason, erased_at)
        VALUES (${id}, ${incidentId}, ${at}, ${by.key_id}, ${by.account_id}, ${by.name}, ${JSON.stringify(fields)},
                ${JSON.stringify(found)}, ${reason}, ${erasedAt})`,
  )
  yield* run(
    sql`INSERT INTO redacted_incidents (incident_id, redaction_id)
        ${TOUCHED(record.incidentIds.map((incident) => [incident, id]))}`,
  )
}

const IS_TEST = isTrue('deliveries.test')
const IS_NO_TEST = isFalse('deliveries.test')

/**
 * Runs within the caller's transaction. An endpoint may answer with the message that it received.
 * SQLite has the answer to the first attempt beside the delivery.
 */
function* clearEndpointAnswers(incidentId: string, limit: number): Query<number> {
  const first = yield* onSqlite(
    sql`UPDATE deliveries SET first_answer = NULL
        WHERE id IN (
          SELECT deliveries.id FROM events JOIN deliveries ON deliveries.event_seq = events.seq AND ${IS_NO_TEST}
          WHERE events.incident_id = ${incidentId} AND events.document IS NOT NULL
            AND deliveries.first_answer IS NOT NULL
          LIMIT ${plain(limit)})`,
  )
  const later = yield* run(
    sql`UPDATE attempts SET answer = NULL
        FROM (
          SELECT delivery_id, number
          FROM events
          JOIN deliveries ON deliveries.event_seq = events.seq AND ${IS_NO_TEST}
          JOIN attempts ON attempts.delivery_id = deliveries.id
          WHERE events.incident_id = ${incidentId} AND events.document IS NOT NULL AND attempts.answer IS NOT NULL
          LIMIT ${plain(limit)}
        ) AS found
        WHERE attempts.delivery_id = found.delivery_id AND attempts.number = found.number`,
  )
  return first + later
}

/** A test message shows some incident, and its row does not say which. */
function clearTestAnswers(before: number, limit: number): Query<number> {
  return run(
    sql`UPDATE attempts SET answer = NULL
        FROM (
          SELECT delivery_id, number FROM deliveries JOIN attempts ON attempts.delivery_id = deliveries.id
          WHERE ${IS_TEST} AND deliveries.created_at <= ${before} AND attempts.answer IS NOT NULL
          LIMIT ${plain(limit)}
        ) AS found
        WHERE attempts.delivery_id = found.delivery_id AND attempts.number = found.number`,
  )
}

const NO_BYTES = differing(`x''`, `''::bytea`)

/**
 * Empties the stored answers of requests that began before the redaction and mention the incident;
 * a repetition is told so. An answer without mentions was stored before mentions were.
 */
function clearRequestAnswers(incidentId: string, before: number, limit: number): Query<number> {
  return run(
    sql`UPDATE idempotency SET answer = ${NO_BYTES}, bytes = 0, redacted = true
        WHERE id ${amongRows(
          sql`SELECT id FROM idempotency
              WHERE claimed_at <= ${before} AND bytes > 0
                AND (mentions IS NULL OR ${POSITION_IN}(mentions, ${incidentId}) > 0)
              LIMIT ${plain(limit)}`,
        )}`,
  )
}
