import { type DeskEntryWrite, missingEntryOf } from '../../shared/rows/desk-rows.ts'
import { type IncidentRecordRow, incidentRecordOf } from '../../shared/rows/incident-rows.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'
import { CHANNEL } from '../connection/listen.ts'
import { textArray } from '../connection/text-array.ts'

/** Writes within the caller's transaction. A change of status ends the claim. */
export async function writeEntries(query: Query, all: readonly DeskEntryWrite[]): Promise<void> {
  const entries = await addedOrKnown(query, all)
  if (entries.length === 0) return
  const last = await lockHead(query, entries.length)
  await query(
    `INSERT INTO desk_entries (id, revision, status, version, origin, state, lga, type, severity, confidence,
                               reported_at, occurred_at, lat, lng, search)
     SELECT next.id, $1::bigint + position, next.status, next.version,
            coalesce(next.origin, known.origin, 'api'), next.state, next.lga, next.type, next.severity,
            next.confidence, next.reported_at, next.occurred_at, next.lat, next.lng, next.search
     FROM unnest($2::text[], $3::text[], $4::integer[], $5::text[], $6::text[], $7::text[], $8::text[], $9::integer[],
                 $10::float8[], $11::bigint[], $12::bigint[], $13::float8[], $14::float8[], $15::text[])
       WITH ORDINALITY AS next (id, status, version, origin, state, lga, type, severity, confidence, reported_at,
                                occurred_at, lat, lng, search, position)
     LEFT JOIN desk_entries AS known ON known.id = next.id
     ON CONFLICT (id) DO UPDATE
     SET revision = excluded.revision, status = excluded.status, version = excluded.version, origin = excluded.origin,
         state = excluded.state, lga = excluded.lga, type = excluded.type, severity = excluded.severity,
         confidence = excluded.confidence, reported_at = excluded.reported_at, occurred_at = excluded.occurred_at,
         lat = excluded.lat, lng = excluded.lng, search = excluded.search,
         claimed_by = CASE WHEN desk_entries.status = excluded.status THEN desk_entries.claimed_by END,
         claim_name = CASE WHEN desk_entries.status = excluded.status THEN desk_entries.claim_name END,
         claimed_until = CASE WHEN desk_entries.status = excluded.status THEN desk_entries.claimed_until END`,
    [
      last - entries.length,
      textArray(entries.map((entry) => entry.id)),
      textArray(entries.map((entry) => entry.status)),
      entries.map((entry) => entry.version),
      textArray(entries.map((entry) => entry.origin)),
      textArray(entries.map((entry) => entry.state)),
      textArray(entries.map((entry) => entry.lga)),
      textArray(entries.map((entry) => entry.type)),
      entries.map((entry) => entry.severity),
      entries.map((entry) => entry.confidence),
      entries.map((entry) => entry.reportedAt),
      entries.map((entry) => entry.occurredAt),
      entries.map((entry) => entry.lat),
      entries.map((entry) => entry.lng),
      textArray(entries.map((entry) => entry.search)),
    ],
  )
}

/** Leaves out those that are changed only if the desk knows them. */
async function addedOrKnown(query: Query, entries: readonly DeskEntryWrite[]): Promise<DeskEntryWrite[]> {
  const unsure = entries.filter(({ mayAdd }) => !mayAdd)
  if (unsure.length === 0) return [...entries]
  const rows = await query<{ id: string }>('SELECT id FROM desk_entries WHERE id = ANY ($1)', [
    textArray(unsure.map(({ id }) => id)),
  ])
  const known = new Set(rows.map(({ id }) => id))
  return entries.filter(({ mayAdd, id }) => mayAdd || known.has(id))
}

/** Takes revisions, locks the head until the transaction ends, and notifies. Returns the last. */
export async function lockHead(query: Query, count: number): Promise<number> {
  const [head] = await query<{ revision: number }>('UPDATE desk_head SET revision = revision + $1 RETURNING revision', [
    count,
  ])
  await query(`SELECT pg_notify($1, 'desk')`, [CHANNEL])
  return head!.revision
}

export function addMissingEntries(connection: PostgresConnection, limit: number): Promise<number> {
  return connection.transaction(async (query) => {
    // Locked before the read: an entry that another writer adds meanwhile is not overwritten.
    await lockHead(query, 0)
    const rows = await query<IncidentRecordRow>(
      `SELECT document, dossier, NULL AS claimed_by, NULL AS claim_name, NULL AS claimed_until FROM incidents
       WHERE status <> 'confirmed' AND NOT EXISTS (SELECT 1 FROM desk_entries WHERE desk_entries.id = incidents.id)
       LIMIT $1`,
      [limit],
    )
    await writeEntries(
      query,
      rows.map((row) => missingEntryOf(incidentRecordOf(row))),
    )
    return rows.length
  })
}
