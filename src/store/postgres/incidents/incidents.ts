import type { Incident } from '../../../domain/incident.ts'
import {
  type StepRow as HistoryRow,
  historyEntryOf,
  type IncidentRecordRow,
  incidentRecordOf,
  stepValues,
} from '../../shared/rows.ts'
import { eventsOf, type IncidentRow, planOf, type StepRow } from '../../shared/write-plan.ts'
import { type Incidents, StaleVersion } from '../../store.ts'
import type { Connection, Query } from '../connection/connection.ts'
import { textArray } from '../connection/text-array.ts'
import { advance } from './events.ts'
import { keepMark } from './imports.ts'
import { snapshot } from './snapshot.ts'

export function incidents(connection: Connection): Incidents {
  return {
    async save(changes, now, mark) {
      if (changes.length === 0 && mark === undefined) return []
      const plan = planOf(changes, now, mark)
      return connection.transaction(async (query) => {
        // First, and even where it appends nothing: who holds the log's head is the only writer, so no two can deadlock.
        const head = await advance(query, plan.events, plan.now)
        const written = new Set<string>()
        for (const id of await insert(query, plan.rows)) written.add(id)
        for (const id of await update(query, plan.rows)) written.add(id)
        const stale = plan.rows.find((row) => !written.has(row.id))
        if (stale) throw new StaleVersion(stale.id)
        await addSteps(query, plan.steps)
        if (plan.mark !== null) await keepMark(query, plan.mark, plan.now)
        return eventsOf(plan, head)
      })
    },

    async find(id) {
      const [row] = await connection.query<{ document: string }>('SELECT document FROM incidents WHERE id = $1', [id])
      return row === undefined ? null : (JSON.parse(row.document) as Incident)
    },

    async findRecords(ids) {
      const rows = await connection.query<IncidentRecordRow>(
        'SELECT document, dossier FROM incidents WHERE id = ANY ($1)',
        [ids],
      )
      return rows.map(incidentRecordOf)
    },

    async listByStatus(status, limit, before) {
      const rows = await connection.query<IncidentRecordRow>(
        `SELECT document, dossier FROM incidents
         WHERE status = $1 AND status <> 'confirmed' AND ($2::text IS NULL OR id < $2)
         ORDER BY id DESC
         LIMIT $3`,
        [status, before, limit],
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

    async history(id) {
      const rows = await connection.query<HistoryRow>(
        'SELECT step, version, at, key_id, actor, note, fields FROM steps WHERE incident_id = $1 ORDER BY id',
        [id],
      )
      return rows.map(historyEntryOf)
    },

    snapshot: () => snapshot(connection),
  }
}

async function insert(query: Query, all: readonly IncidentRow[]): Promise<string[]> {
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

async function update(query: Query, all: readonly IncidentRow[]): Promise<string[]> {
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

function columnsOf(rows: readonly IncidentRow[]) {
  return [
    textArray(rows.map((row) => row.id)),
    rows.map((row) => row.version),
    textArray(rows.map((row) => row.status)),
    rows.map((row) => row.publishedAt),
    rows.map((row) => row.occurredAt),
    textArray(rows.map((row) => row.document)),
    textArray(rows.map((row) => row.dossier)),
  ]
}

/** One after the other: few have steps, an import none. */
async function addSteps(query: Query, steps: readonly StepRow[]): Promise<void> {
  for (const { incidentId, step } of steps) {
    await query(
      `INSERT INTO steps (incident_id, step, version, at, key_id, actor, note, fields)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [incidentId, ...stepValues(step)],
    )
  }
}
