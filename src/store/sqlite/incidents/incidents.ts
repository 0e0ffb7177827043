import type { Incident } from '../../../domain/incident.ts'
import type { HistoryEntry } from '../../../domain/lifecycle.ts'
import { type IncidentRecordRow, incidentRecordOf } from '../../shared/rows/incident-rows.ts'
import type { IncidentWrite, WritePlan } from '../../shared/write-plan.ts'
import { type CurrentIncident, type IncidentRecord, type LogHead, StaleVersion } from '../../store.ts'
import type { Database } from '../connection/database.ts'
import { reviveDeliveries } from '../deliveries/revive.ts'
import { writeEntries } from '../desk/entries.ts'
import { decidePairs } from '../desk/pairs.ts'
import { decideProposals } from '../sources/proposals.ts'
import { appendEvents } from './events.ts'
import { addHistoryEntry, historyOf } from './history.ts'
import { saveBatch, saveStoredBefore } from './import-runs.ts'

export function incidents(database: Database) {
  return {
    /** Returns the log's head after the plan's events. */
    save(plan: WritePlan): LogHead {
      return database.transaction(() => savePlan(database, plan))
    },

    current(ids: readonly string[]): CurrentIncident[] {
      return database
        .all<CurrentIncident>(
          `SELECT incidents.id, status, document,
                  (SELECT max(seq) FROM events WHERE incident_id = incidents.id AND document IS NOT NULL) AS seq
           FROM json_each(?) AS asked JOIN incidents ON incidents.id = asked.value`,
          [JSON.stringify(ids)],
        )
        .map((row) => ({ ...row }))
    },

    find(id: string): Incident | null {
      const row = database.get<{ document: string }>('SELECT document FROM incidents WHERE id = ?', [id])
      return row === undefined ? null : JSON.parse(row.document)
    },

    findRecords(ids: readonly string[]): IncidentRecord[] {
      return database
        .all<IncidentRecordRow>(
          `SELECT document, dossier, claimed_by, claim_name, claimed_until
           FROM json_each(?) AS asked
           JOIN incidents ON incidents.id = asked.value
           LEFT JOIN desk_entries ON desk_entries.id = incidents.id`,
          [JSON.stringify(ids)],
        )
        .map(incidentRecordOf)
    },

    openReports(from: number, to: number, limit: number): Incident[] {
      return database
        .all<{ document: string }>(
          `SELECT document FROM incidents
           WHERE status = 'reported' AND occurred_at BETWEEN ? AND ?
           ORDER BY occurred_at DESC
           LIMIT +?`,
          [from, to, limit],
        )
        .map(({ document }) => JSON.parse(document) as Incident)
    },

    history: (id: string): HistoryEntry[] => historyOf(database, id),
  }
}

/** Runs within the caller's transaction. */
export function savePlan(database: Database, plan: WritePlan): LogHead {
  if (plan.batch !== null) saveStoredBefore(database, plan.batch)
  for (const row of plan.incidents) writeIncident(database, row)
  for (const row of plan.historyEntries) addHistoryEntry(database, row)
  writeEntries(
    database,
    plan.incidents.flatMap(({ deskEntry }) => deskEntry ?? []),
  )
  reviveDeliveries(database, plan.revived, plan.now)
  decideProposals(database, plan.decided, plan.now)
  decidePairs(database, plan.decidedPairs, plan.now)
  if (plan.batch !== null) saveBatch(database, plan.batch, plan.now)
  return appendEvents(database, plan.events, plan.now)
}

function writeIncident(database: Database, row: IncidentWrite): void {
  const { id, expected, expectedStatus, version, status, publishedAt, occurredAt, document, moderation } = row
  const written =
    expected === 0
      ? database.run(
          `INSERT INTO incidents (id, version, status, published_at, occurred_at, document, dossier)
           VALUES (?, ?, ?, ?, ?, ?, ?)
           ON CONFLICT (id) DO NOTHING`,
          [id, version, status, publishedAt, occurredAt, document, moderation],
        )
      : database.run(
          `UPDATE incidents
           SET version = ?, status = ?, published_at = ?, occurred_at = ?, document = ?, dossier = coalesce(?, dossier)
           WHERE id = ?7 AND version = ?8 AND (?9 IS NULL OR status = ?9)`,
          [version, status, publishedAt, occurredAt, document, moderation, id, expected, expectedStatus],
        )
  if (written === 0) throw new StaleVersion(id)
}
