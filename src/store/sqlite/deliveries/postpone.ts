import type { PostponedDelivery } from '../../interface/deliveries.ts'
import { PARKED_DUE_AT } from '../../shared/lease.ts'
import type { Database } from '../database.ts'
import { bumpDueCounter } from './fan-out.ts'

/** Runs within the caller's transaction. */
export function postpone(database: Database, owner: string, deliveries: readonly PostponedDelivery[]): void {
  for (const { deliveryId, dueAt } of deliveries)
    database.run(
      'UPDATE deliveries SET lease_owner = NULL, due_at = ?, postponed = 1 WHERE id = ? AND lease_owner = ?',
      [dueAt, deliveryId, owner],
    )
}

/** Runs within the caller's transaction. */
export function makeDueNow(database: Database, watchId: string, now: number, limit: number): number {
  const dueNow = database.run(
    `UPDATE deliveries SET due_at = :now
     WHERE id IN (
       SELECT id FROM deliveries
       WHERE watch_id = +:watchId AND status = 'pending' AND lease_owner IS NULL AND due_at > :now
         AND severity IS NULL AND (tries = 0 OR postponed) AND due_at < :parked
       ORDER BY event_seq
       LIMIT +:limit
     )`,
    { watchId, now, limit, parked: PARKED_DUE_AT },
  )
  if (dueNow > 0) bumpDueCounter(database)
  return dueNow
}
