import type { RedactionRecord } from '../../../domain/redaction.ts'
import { forgetStoredBefore } from '../../queries/imports.ts'
import type { RedactionWrite, StoredContent, StoredDocument, UnsettledRedaction } from '../../redactions.ts'
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
import type { Database } from '../connection/database.ts'
import { incidents } from '../incidents/incidents.ts'
import { forgetStories } from '../sources/proposals.ts'
import { eraseContacts } from '../tips/tips.ts'
import { clearEndpointAnswers, clearRequestAnswers, clearTestAnswers } from './clear-answers.ts'
import { eraseOverwritten } from './erase.ts'

export function redactions(database: Database, path: string) {
  return {
    /** Looks through all merged reports: the record has the only mention of where one went. */
    mergedInto(incidentId: string): string[] {
      return database
        .all<{ id: string }>(
          `SELECT id FROM incidents WHERE status = 'merged' AND instr(dossier, '"merged_into":"' || ? || '"') > 0`,
          [incidentId],
        )
        .map(({ id }) => id)
    },

    read(incidentIds: readonly string[]): StoredContent {
      const ids = [JSON.stringify(incidentIds)]
      // In a transaction: all of it at one moment.
      return database.transaction(() => ({
        records: database
          .all<IncidentRecordRow>(
            `SELECT document, dossier, claimed_by, claim_name, claimed_until
             FROM json_each(?) AS asked
             JOIN incidents ON incidents.id = asked.value
             LEFT JOIN desk_entries ON desk_entries.id = incidents.id`,
            ids,
          )
          .map(incidentRecordOf),
        events: database
          .all<StoredDocument>(
            `SELECT seq, incident_id AS incidentId, document FROM events
             WHERE incident_id IN (SELECT value FROM json_each(?)) AND document IS NOT NULL
             ORDER BY seq`,
            ids,
          )
          .map((event) => ({ ...event })),
        historyEntries: database
          .all<StoredHistoryRow>(
            `SELECT id AS row, note, changes FROM steps WHERE incident_id IN (SELECT value FROM json_each(?)) ORDER BY id`,
            ids,
          )
          .map(storedHistoryOf),
      }))
    },

    /** `plan` is that of the changes. Returns the log's head after its events. */
    apply(
      { record, read, events, historyEntries, contacts }: Omit<RedactionWrite, 'changes'>,
      plan: WritePlan,
    ): LogHead {
      return database.transaction(() => {
        checkUnchanged(record.incidentId, read, countsOf(database, record.incidentIds))
        for (const { seq, document } of events)
          database.run('UPDATE events SET document = ? WHERE seq = ?', [document, seq])
        for (const { row, note, changes } of historyEntries)
          database.run('UPDATE steps SET note = ?, changes = ? WHERE id = ?', [note, JSON.stringify(changes), row])
        const head = incidents(database).save(plan)
        database.run('UPDATE events SET redacted = 1 WHERE seq > ?', [head.seq - plan.events.length])
        eraseContacts(database, contacts)
        addRecord(database, record)
        forgetStories(database, record.incidentIds)
        database.perform(forgetStoredBefore(record.incidentIds))
        for (const id of record.incidentIds) clearRequestAnswers(database, id, plan.now, Number.MAX_SAFE_INTEGER)
        return head
      })
    },

    list(incidentId: string): RedactionRecord[] {
      return database
        .all<RedactionRow>(
          `SELECT redactions.id, redactions.incident_id, at, key_id, account_id, actor, fields, found, reason,
                  erased_at,
                  (SELECT json_group_array(incident_id) FROM redacted_incidents
                   WHERE redaction_id = redactions.id) AS incidents
           FROM redacted_incidents JOIN redactions ON redactions.id = redacted_incidents.redaction_id
           WHERE redacted_incidents.incident_id = ?
           ORDER BY at, redactions.id`,
          [incidentId],
        )
        .map(redactionOf)
    },

    unsettled(limit: number): UnsettledRedaction[] {
      return database
        .all<UnsettledRow>('SELECT id, at, erased_at FROM redactions WHERE settled = 0 ORDER BY at LIMIT +?', [limit])
        .map(unsettledOf)
    },

    clearAnswers(redactionId: string, limit: number): number {
      return database.transaction(() => {
        const touched = database.all<{ incident_id: string; at: number }>(
          `SELECT redacted_incidents.incident_id, at
           FROM redacted_incidents JOIN redactions ON redactions.id = redaction_id
           WHERE redaction_id = ?`,
          [redactionId],
        )
        let cleared = 0
        for (const { incident_id, at } of touched) {
          cleared += clearEndpointAnswers(database, incident_id, limit)
          cleared += clearRequestAnswers(database, incident_id, at, limit)
        }
        return cleared + clearTestAnswers(database, touched[0]?.at ?? 0, limit)
      })
    },

    erase(): void {
      eraseOverwritten(database, path)
    },

    recordErased(redactionId: string, at: number | null, settled: boolean): void {
      database.run('UPDATE redactions SET erased_at = ?, settled = ? WHERE id = ?', [at, settled ? 1 : 0, redactionId])
    },
  }
}

function countsOf(database: Database, incidentIds: readonly string[]): StoredCounts {
  return database.get<StoredCounts>(
    `SELECT (SELECT count(*) FROM events
             WHERE incident_id IN (SELECT value FROM json_each(:ids)) AND document IS NOT NULL) AS events,
            (SELECT count(*) FROM steps WHERE incident_id IN (SELECT value FROM json_each(:ids))) AS entries`,
    { ids: JSON.stringify(incidentIds) },
  )!
}

function addRecord(database: Database, record: RedactionRecord): void {
  database.run(
    `INSERT INTO redactions (id, incident_id, at, key_id, account_id, actor, fields, found, reason, erased_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    redactionValues(record),
  )
  for (const id of record.incidentIds)
    database.run('INSERT INTO redacted_incidents (incident_id, redaction_id) VALUES (?, ?)', [id, record.id])
}
