import type { Incident } from '../../../domain/incident.ts'
import { type IncidentRecordRow, incidentRecordOf } from '../../shared/rows/incident-rows.ts'
import type { IncidentWrite, WritePlan } from '../../shared/write-plan.ts'
import { type Incidents, type LogHead, StaleVersion } from '../../store.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'
import { textArray } from '../connection/text-array.ts'
import { reviveDeliveries } from '../deliveries/revive.ts'
import { writeEntries } from '../desk/entries.ts'
import { decidePairs } from '../desk/pairs.ts'
import { decideProposals } from '../sources/proposals.ts'
import { appendEvents } from './events.ts'
import { addHistoryEntries, historyOf } from './history.ts'
import { saveBatch, saveStoredBefore } from './import-runs.ts'

export function incidents(connection: PostgresConnection) {
  return {
    save: (plan: WritePlan) => connection.transaction((query) => savePlan(query, plan)),

    current(ids) {
      return connection.query(
        `SELECT id, status, document,
                (SELECT max(seq) FROM events WHERE incident_id = incidents.id AND document IS NOT NULL) AS seq
         FROM incidents WHERE id = ANY ($1)`,
        [ids],
      )
    },

    async find(id) {
      const [row] = await connection.query<{ document: string }>('SELECT document FROM incidents WHERE id = $1', [id])
      return row === undefined ? null : (JSON.parse(row.document) as Incident)
    },

    async findRecords(ids) {
      const rows = await connection.query<IncidentRecordRow>(
        `SELECT document, dossier, claimed_by, claim_name, claimed_until
         FROM incidents
         LEFT JOIN desk_entries ON desk_entries.id = incidents.id
         WHERE incidents.id = ANY ($1)`,
        [ids],
      )
      return rows.map(incidentRecordOf)
    },

    async openReports(from, to, limit) {
      const rows = await connection.query<{ document: string }>(
        `SELECT document FROM incidents
         WHERE status = 'reported' AND occurred_at BETWEEN $1 AND $2
         ORDER BY occurred_at DESC
         LIMIT $3`,
        [from, to, limit],
      )
      return rows.map(({ document }) => JSON.parse(document) as Incident)
    },

    history: (id) => historyOf(connection.query, id),
  } satisfies Omit<Incidents, 'save' | 'snapshot'> & { save(plan: WritePlan): Promise<LogHead> }
}

/** Runs within the caller's transaction. Returns the log's head after the plan's events. */
export async function savePlan(query: Query, plan: WritePlan): Promise<LogHead> {
  // Always locks the log's head first: with one writer at a time no two can deadlock.
  const head = await appendEvents(query, plan.events, plan.now)
  if (plan.batch !== null) await saveStoredBefore(query, plan.batch)
  const written = new Set<string>()
  for (const id of await insertIncidents(query, plan.incidents)) written.add(id)
  for (const id of await updateIncidents(query, plan.incidents)) written.add(id)
  const stale = plan.incidents.find((row) => !written.has(row.id))
  if (stale) throw new StaleVersion(stale.id)
  await addHistoryEntries(query, plan.historyEntries)
  await writeEntries(
    query,
    plan.incidents.flatMap(({ deskEntry }) => deskEntry ?? []),
  )
  await reviveDeliveries(query, plan.revived, plan.now)
  await decideProposals(query, plan.decided, plan.now)
  await decidePairs(query, plan.decidedPairs, plan.now)
  if (plan.batch !== null) await saveBatch(query, plan.batch, plan.now)
  return head
}

async function insertIncidents(query: Query, all: readonly IncidentWrite[]): Promise<string[]> {
  const rows = all.filter((row) => row.expected === 0)
  if (rows.length === 0) return []
  const written = await query<{ id: string }>(
    `INSERT INTO incidents (id, version, status, published_at, occurred_at, document, dossier)
     SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[])
     ON CONFLICT (id) DO NOTHING
     RETURNING id`,
    columnsOf(rows),
  )
  return written.map((row) => row.id)
}

async function updateIncidents(query: Query, all: readonly IncidentWrite[]): Promise<string[]> {
  const rows = all.filter((row) => row.expected !== 0)
  if (rows.length === 0) return []
  const written = await query<{ id: string }>(
    `UPDATE incidents
     SET version = next.version, status = next.status, published_at = next.published_at,
         occurred_at = next.occurred_at, document = next.document, dossier = coalesce(next.dossier, incidents.dossier)
     FROM unnest($1::text[], $2::integer[], $3::text[], $4::bigint[], $5::bigint[], $6::text[], $7::text[],
                 $8::integer[], $9::text[])
       AS next (id, version, status, published_at, occurred_at, document, dossier, expected, expected_status)
     WHERE incidents.id = next.id AND incidents.version = next.expected
       AND (next.expected_status IS NULL OR incidents.status = next.expected_status)
     RETURNING incidents.id`,
    [...columnsOf(rows), rows.map((row) => row.expected), rows.map((row) => row.expectedStatus)],
  )
  return written.map((row) => row.id)
}

function columnsOf(rows: readonly IncidentWrite[]) {
  return [
    textArray(rows.map((row) => row.id)),
    rows.map((row) => row.version),
    textArray(rows.map((row) => row.status)),
    rows.map((row) => row.publishedAt),
    rows.map((row) => row.occurredAt),
    textArray(rows.map((row) => row.document)),
    textArray(rows.map((row) => row.moderation)),
  ]
}
