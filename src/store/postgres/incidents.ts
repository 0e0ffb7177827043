import type { Incident } from '../../domain/incident.ts'
import { eventsOf, type IncidentRow, planOf } from '../plan.ts'
import { type Incidents, StaleVersion } from '../store.ts'
import type { Connection, Query } from './connection.ts'
import { advance } from './events.ts'
import { snapshot } from './snapshot.ts'

export function incidents(connection: Connection): Incidents {
  return {
    async save(changes, now) {
      const plan = planOf(changes, now)
      if (plan.rows.length === 0) return []
      return connection.transaction(async (query) => {
        // First, and even where it appends nothing: who holds the log's head is the only writer, so no two can deadlock.
        const head = await advance(query, plan.events, plan.now)
        const written = new Set<string>()
        for (const id of await insert(query, plan.rows)) written.add(id)
        for (const id of await update(query, plan.rows)) written.add(id)
        const stale = plan.rows.find((row) => !written.has(row.id))
        if (stale) throw new StaleVersion(stale.id)
        return eventsOf(plan, head)
      })
    },

    async find(id) {
      const [row] = await connection.query<{ document: string }>('SELECT document FROM incidents WHERE id = $1', [id])
      return row === undefined ? null : (JSON.parse(row.document) as Incident)
    },

    snapshot: () => snapshot(connection),
  }
}

async function insert(query: Query, all: readonly IncidentRow[]): Promise<string[]> {
  const rows = all.filter((row) => row.expected === 0)
  if (rows.length === 0) return []
  const written = await query<{ id: string }>(
    `INSERT INTO incidents (id, version, status, published_at, document)
     SELECT * FROM unnest($1::text[], $2::integer[], $3::text[], $4::bigint[], $5::text[])
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
     SET version = next.version, status = next.status, published_at = next.published_at, document = next.document
     FROM unnest($1::text[], $2::integer[], $3::text[], $4::bigint[], $5::text[], $6::integer[])
       AS next (id, version, status, published_at, document, expected)
     WHERE incidents.id = next.id AND incidents.version = next.expected
     RETURNING incidents.id`,
    [...columnsOf(rows), rows.map((row) => row.expected)],
  )
  return written.map((row) => row.id)
}

function columnsOf(rows: readonly IncidentRow[]) {
  return [
    rows.map((row) => row.id),
    rows.map((row) => row.version),
    rows.map((row) => row.status),
    rows.map((row) => row.publishedAt),
    rows.map((row) => row.document),
  ]
}
