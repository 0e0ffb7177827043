import type { RedactionRecord } from '../../../domain/redaction.ts'
import { forgetStoredBefore } from '../../queries/imports.ts'
import type { Redactions, StoredContent, StoredDocument } from '../../redactions.ts'
import { type IncidentRecordRow, incidentRecordOf } from '../../shared/rows/incident-rows.ts'
import {
  checkUnchanged,
  type RedactionRow,
  redactionOf,
  redactionValues,
  type StoredCounts,
  type StoredHistoryRow,
  storedHistoryOf,
  type UnsettledRow,
  unsettledOf,
} from '../../shared/rows/redaction-rows.ts'
import type { WritePlan } from '../../shared/write-plan.ts'
import type { LogHead } from '../../store.ts'
import { type PostgresConnection, performWithin, type Query } from '../connection/connection.ts'
import { textArray } from '../connection/text-array.ts'
import { savePlan } from '../incidents/incidents.ts'
import { forgetStories } from '../sources/proposals.ts'
import { eraseContacts } from '../tips/tips.ts'
import { clearEndpointAnswers, clearRequestAnswers, clearTestAnswers } from './clear-answers.ts'
import { eraseOverwritten } from './erase.ts'

export function redactions(connection: PostgresConnection) {
  return {
    /** Looks through all merged reports: the record has the only mention of where one went. */
    async mergedInto(incidentId: string) {
      const rows = await connection.query<{ id: string }>(
        `SELECT id FROM incidents WHERE status = 'merged' AND strpos(dossier, '"merged_into":"' || $1 || '"') > 0`,
        [incidentId],
      )
      return rows.map(({ id }) => id)
    },

    read: (incidentIds: readonly string[]) => connection.transaction((query) => readContent(query, incidentIds)),

    apply(
      { record, read, events, historyEntries, contacts }: Omit<Parameters<Redactions['apply']>[0], 'changes'>,
      plan: WritePlan,
    ): Promise<LogHead> {
      return connection.transaction(async (query) => {
        // Locks the log's head first, as every save does: nothing is added from here on.
        await query('SELECT seq FROM log_head FOR UPDATE')
        checkUnchanged(record.incidentId, read, await countsOf(query, record.incidentIds))
        await query(
          `UPDATE events SET document = next.document
           FROM unnest($1::bigint[], $2::text[]) AS next (seq, document) WHERE events.seq = next.seq`,
          [events.map(({ seq }) => seq), textArray(events.map(({ document }) => document))],
        )
        await query(
          `UPDATE steps SET note = next.note, changes = next.changes
           FROM unnest($1::bigint[], $2::text[], $3::text[]) AS next (id, note, changes) WHERE steps.id = next.id`,
          [
            historyEntries.map(({ row }) => row),
            textArray(historyEntries.map(({ note }) => note)),
            textArray(historyEntries.map(({ changes }) => JSON.stringify(changes))),
          ],
        )
        const head = await savePlan(query, plan)
        await query('UPDATE events SET redacted = true WHERE seq > $1', [head.seq - plan.events.length])
        await eraseContacts(query, contacts)
        await addRecord(query, record)
        await forgetStories(query, record.incidentIds)
        await performWithin(query, forgetStoredBefore(record.incidentIds))
        for (const id of record.incidentIds) await clearRequestAnswers(query, id, plan.now, Number.MAX_SAFE_INTEGER)
        return head
      })
    },

    async list(incidentId: string) {
      const rows = await connection.query<RedactionRow>(
        `SELECT redactions.id, redactions.incident_id, at, key_id, account_id, actor, fields, found, reason,
                erased_at,
                (SELECT json_agg(incident_id)::text FROM redacted_incidents
                 WHERE redaction_id = redactions.id) AS incidents
         FROM redacted_incidents JOIN redactions ON redactions.id = redacted_incidents.redaction_id
         WHERE redacted_incidents.incident_id = $1
         ORDER BY at, redactions.id`,
        [incidentId],
      )
      return rows.map(redactionOf)
    },

    async unsettled(limit: number) {
      const rows = await connection.query<UnsettledRow>(
        'SELECT id, at, erased_at FROM redactions WHERE NOT settled ORDER BY at LIMIT $1',
        [limit],
      )
      return rows.map(unsettledOf)
    },

    clearAnswers(redactionId: string, limit: number) {
      return connection.transaction(async (query) => {
        const touched = await query<{ incident_id: string; at: number }>(
          `SELECT redacted_incidents.incident_id, at
           FROM redacted_incidents JOIN redactions ON redactions.id = redaction_id
           WHERE redaction_id = $1`,
          [redactionId],
        )
        let cleared = 0
        for (const { incident_id, at } of touched) {
          cleared += await clearEndpointAnswers(query, incident_id, limit)
          cleared += await clearRequestAnswers(query, incident_id, at, limit)
        }
        return cleared + (await clearTestAnswers(query, touched[0]?.at ?? 0, limit))
      })
    },

    erase: () => eraseOverwritten(connection),

    async recordErased(redactionId: string, at: number, settled: boolean) {
      await connection.query('UPDATE redactions SET erased_at = $1, settled = $2::boolean WHERE id = $3', [
        at,
        String(settled),
        redactionId,
      ])
    },
  }
}

async function readContent(query: Query, incidentIds: readonly string[]): Promise<StoredContent> {
  // All of it at one moment.
  await query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY')
  const records = await query<IncidentRecordRow>(
    `SELECT document, dossier, claimed_by, claim_name, claimed_until
     FROM incidents LEFT JOIN desk_entries USING (id)
     WHERE incidents.id = ANY ($1)`,
    [incidentIds],
  )
  const events = await query<StoredDocument>(
    `SELECT seq, incident_id AS "incidentId", document FROM events
     WHERE incident_id = ANY ($1) AND document IS NOT NULL
     ORDER BY seq`,
    [incidentIds],
  )
  const entries = await query<StoredHistoryRow>(
    'SELECT id AS row, note, changes FROM steps WHERE incident_id = ANY ($1) ORDER BY id',
    [incidentIds],
  )
  return { records: records.map(incidentRecordOf), events, historyEntries: entries.map(storedHistoryOf) }
}

async function countsOf(query: Query, incidentIds: readonly string[]): Promise<StoredCounts> {
  const [counts] = await query<StoredCounts>(
    `SELECT (SELECT count(*) FROM events WHERE incident_id = ANY ($1) AND document IS NOT NULL) AS events,
            (SELECT count(*) FROM steps WHERE incident_id = ANY ($1)) AS entries`,
    [incidentIds],
  )
  return counts!
}

async function addRecord(query: Query, record: RedactionRecord): Promise<void> {
  await query(
    `INSERT INTO redactions (id, incident_id, at, key_id, account_id, actor, fields, found, reason, erased_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    redactionValues(record),
  )
  await query('INSERT INTO redacted_incidents (incident_id, redaction_id) SELECT unnest($1::text[]), $2', [
    record.incidentIds,
    record.id,
  ])
}
