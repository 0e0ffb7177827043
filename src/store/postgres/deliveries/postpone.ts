import type { PostponedDelivery } from '../../interface/deliveries.ts'
import { PARKED_DUE_AT } from '../../shared/lease.ts'
import type { Query } from '../connection.ts'
import { notifyDue } from './fan-out.ts'

export async function postpone(query: Query, owner: string, deliveries: readonly PostponedDelivery[]): Promise<void> {
  // The same order as in `recordAttempts`, to prevent deadlocks.
  await query(
    `WITH held AS MATERIALIZED (
       SELECT id FROM deliveries WHERE id = ANY($1) AND lease_owner = $3 ORDER BY id FOR UPDATE
     )
     UPDATE deliveries SET lease_owner = NULL, due_at = next.due_at, postponed = true
     FROM held JOIN unnest($1::text[], $2::bigint[]) AS next (id, due_at) ON next.id = held.id
     WHERE deliveries.id = held.id`,
    [deliveries.map(({ deliveryId }) => deliveryId), deliveries.map(({ dueAt }) => dueAt), owner],
  )
}

export async function makeDueNow(query: Query, watchId: string, now: number, limit: number): Promise<number> {
  const dueNow = await query(
    `UPDATE deliveries SET due_at = $2
     WHERE id = ANY (ARRAY(
       SELECT id FROM deliveries
       WHERE watch_id = $1 AND status = 'pending' AND lease_owner IS NULL AND due_at > $2
         AND severity IS NULL AND (tries = 0 OR postponed) AND due_at < $4
       ORDER BY event_seq
       LIMIT $3
       FOR UPDATE SKIP LOCKED
     ))
     RETURNING id`,
    [watchId, now, limit, PARKED_DUE_AT],
  )
  if (dueNow.length > 0) await notifyDue(query)
  return dueNow.length
}
