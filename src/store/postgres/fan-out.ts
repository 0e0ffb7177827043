import type { Dispatch, FanOut, NewDelivery } from '../interface/deliveries.ts'
import { markResent } from '../queries/deliveries.ts'
import { type DeliveryRow, dispatchOf, ENDPOINT_COLUMNS, type TargetRow } from '../queries/delivery-rows.ts'
import { lockWatchHead, noteDue } from '../queries/heads.ts'
import { type PostgresConnection, performWithin, type Query } from './connection.ts'

// Differs from SQLite's: here all deliveries are one statement, there each is one.

export function writeChunk(
  connection: PostgresConnection,
  ...[owner, { from, to, deliveries }, now, leaseUntil]: Parameters<FanOut['write']>
): Promise<Dispatch[] | null> {
  return connection.transaction(async (query) => {
    const moved = await query.count(
      `UPDATE fan_out SET seq = $1, after_watch_id = $2
       WHERE owner = $3 AND seq = $4 AND after_watch_id IS NOT DISTINCT FROM $5`,
      [to.seq, to.afterWatchId, owner, from.seq, from.afterWatchId],
    )
    if (moved === 0) return null
    return insertDeliveries(query, deliveries, now, leaseUntil === null ? null : { owner, until: leaseUntil })
  })
}

/** As `writeChunk`, for deliveries that somebody asks for. */
export function addDeliveries(
  connection: PostgresConnection,
  deliveries: readonly NewDelivery[],
  now: number,
): Promise<number> {
  return connection.transaction(async (query) => {
    // Before the watches' sequences, as when a watch is changed or removed: a fixed order prevents
    // deadlocks.
    await performWithin(query, lockWatchHead())
    const ids = (await insertDeliveries(query, deliveries, now, null)).map(({ delivery }) => delivery.id)
    if (ids.length > 0) await performWithin(query, markResent(ids))
    return ids.length
  })
}

/** Runs within the caller's transaction. Without a lease the deliveries are due at once. */
async function insertDeliveries(
  query: Query,
  deliveries: readonly NewDelivery[],
  now: number,
  lease: { owner: string; until: number } | null,
): Promise<Dispatch[]> {
  if (deliveries.length === 0) return []
  const watchIds = deliveries.map((each) => each.watchId)
  // Locks the watches' sequences until the transaction ends; a fixed order prevents deadlocks.
  await query('SELECT FROM watch_progress WHERE watch_id = ANY($1) ORDER BY watch_id FOR UPDATE', [watchIds])
  const rows = await query<DeliveryRow & TargetRow>(
    `WITH requested AS (
       SELECT DISTINCT ON (event_seq, watch_id) id, watch_id, event_seq, kind, critical, due_at, severity
       FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::boolean[], $9::bigint[], $10::text[])
         AS given (id, watch_id, event_seq, kind, critical, due_at, severity)
     ), added AS (
       SELECT requested.*, watches.name, watches.host,
              watch_progress.sequence + row_number() OVER (PARTITION BY watch_id ORDER BY event_seq) AS sequence
       FROM requested
       JOIN watches ON watches.id = requested.watch_id
         AND watches.status = 'active' AND watches.created_seq < requested.event_seq
       JOIN watch_progress USING (watch_id)
       WHERE NOT EXISTS (
         SELECT 1 FROM deliveries
         WHERE deliveries.event_seq = requested.event_seq AND deliveries.watch_id = requested.watch_id AND NOT deliveries.test
       )
     ), counted AS (
       UPDATE watch_progress SET sequence = last.sequence
       FROM (SELECT watch_id, max(sequence) AS sequence FROM added GROUP BY watch_id) AS last
       WHERE watch_progress.watch_id = last.watch_id
     ), inserted AS (
       INSERT INTO deliveries (id, watch_id, event_seq, sequence, kind, watch_name, host, critical, status, attempts,
                               tries, due_at, lease_owner, created_at, severity)
       SELECT id, watch_id, event_seq, sequence, kind, name, host, critical, 'pending', 0, 0, coalesce(due_at, $6),
              CASE WHEN due_at IS NULL THEN $7 END, $8, severity
       FROM added
       RETURNING *
     )
     SELECT inserted.*, ${ENDPOINT_COLUMNS},
            watches.account_id, watch_progress.failing_since
     FROM inserted
     JOIN watches ON watches.id = inserted.watch_id
     JOIN watch_progress ON watch_progress.watch_id = inserted.watch_id
     ORDER BY inserted.event_seq, inserted.watch_id`,
    [
      deliveries.map((each) => each.id),
      watchIds,
      deliveries.map((each) => each.eventSeq),
      deliveries.map((each) => each.kind),
      deliveries.map((each) => String(each.critical)),
      lease?.until ?? now,
      lease?.owner ?? null,
      now,
      deliveries.map((each) => each.dueAt ?? null),
      deliveries.map((each) => each.severity ?? null),
    ],
  )
  if (rows.some((row) => row.lease_owner === null && row.due_at! <= now)) await performWithin(query, noteDue())
  return rows.map(dispatchOf)
}
