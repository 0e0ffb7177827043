import type { Attempt, Delivery, DeliveryStatus } from '../../../domain/delivery/delivery.ts'
import type {
  AttemptResult,
  DeliveryPosition,
  FailingWatch,
  FullQueues,
  LeaseResult,
  NewDelivery,
  PostponedDelivery,
  QueueDepth,
  TestDelivery,
} from '../../deliveries.ts'
import { newWatchCursors, PARKED_DUE_AT } from '../../shared/lease.ts'
import {
  type AttemptRow,
  attemptOf,
  type DeliveryRow,
  deliveryOf,
  FIRST_POSITION,
} from '../../shared/rows/delivery-rows.ts'
import type { Database } from '../connection/database.ts'
import { deleteExpired } from './delete-expired.ts'
import { bumpDueCounter, insertDeliveries } from './fan-out.ts'
import { leaseDue } from './lease.ts'
import { hasten, postpone } from './postpone.ts'
import { recordAttempts } from './record-attempts.ts'
import { resending } from './resend.ts'
import { insertTest } from './test-messages.ts'

export function deliveries(database: Database) {
  const cursors = newWatchCursors()
  return {
    lease(owner: string, now: number, until: number, limit: number, except: FullQueues): LeaseResult {
      return database.transaction(() => leaseDue(database, cursors, { owner, now, until, limit, except }))
    },

    postpone(owner: string, deliveries: readonly PostponedDelivery[]): void {
      database.transaction(() => postpone(database, owner, deliveries))
    },

    hasten(watchId: string, now: number, limit: number): number {
      return database.transaction(() => hasten(database, watchId, now, limit))
    },

    recordAttempts(owner: string, results: readonly AttemptResult[], now: number): FailingWatch[] {
      return database.transaction(() => recordAttempts(database, owner, results, now))
    },

    add(deliveries: readonly NewDelivery[], now: number): number {
      return database.transaction(() => insertDeliveries(database, deliveries, now, null).length)
    },

    addTest(test: TestDelivery, now: number): void {
      database.transaction(() => insertTest(database, test, now))
    },

    reschedule(by: number, now: number): void {
      database.transaction(() => {
        // `critical IN (0, 1)` lets SQLite use the queue's index, which starts with that column.
        database.run(
          `UPDATE deliveries SET due_at = max(?, due_at - ?)
           WHERE status = 'pending' AND lease_owner IS NULL AND critical IN (0, 1) AND due_at > ? AND due_at < ?`,
          [now, by, now, PARKED_DUE_AT],
        )
        bumpDueCounter(database)
      })
    },

    /** Reads each status separately: at most `limit` rows of each. Leased deliveries are few. */
    list(
      accountId: string,
      watchId: string,
      status: DeliveryStatus | null,
      limit: number,
      before: DeliveryPosition | null,
    ): Delivery[] {
      const { eventSeq: beforeSeq, id: beforeId } = before ?? FIRST_POSITION
      const rows = database.all<DeliveryRow>(
        `SELECT deliveries.* FROM (
           SELECT id FROM (SELECT id, event_seq FROM deliveries
             WHERE watch_id = :watchId AND status = 'pending' AND lease_owner IS NULL AND (event_seq, id) < (:beforeSeq, :beforeId)
             ORDER BY event_seq DESC, id DESC LIMIT :limit)
             WHERE :status IS NULL OR :status = 'pending'
           UNION ALL
           SELECT id FROM (SELECT id, event_seq FROM deliveries
             WHERE watch_id = :watchId AND status = 'delivered' AND lease_owner IS NULL AND (event_seq, id) < (:beforeSeq, :beforeId)
             ORDER BY event_seq DESC, id DESC LIMIT :limit)
             WHERE :status IS NULL OR :status = 'delivered'
           UNION ALL
           SELECT id FROM (SELECT id, event_seq FROM deliveries
             WHERE watch_id = :watchId AND status = 'failed' AND lease_owner IS NULL AND (event_seq, id) < (:beforeSeq, :beforeId)
             ORDER BY event_seq DESC, id DESC LIMIT :limit)
             WHERE :status IS NULL OR :status = 'failed'
           UNION ALL
           SELECT id FROM (SELECT id, event_seq FROM deliveries
             WHERE watch_id = :watchId AND status = 'cancelled' AND lease_owner IS NULL AND (event_seq, id) < (:beforeSeq, :beforeId)
             ORDER BY event_seq DESC, id DESC LIMIT :limit)
             WHERE :status IS NULL OR :status = 'cancelled'
           UNION ALL
           SELECT id FROM deliveries INDEXED BY deliveries_leased
             WHERE watch_id = :watchId AND lease_owner IS NOT NULL AND (event_seq, id) < (:beforeSeq, :beforeId)
               AND (:status IS NULL OR :status = 'pending')
         ) AS newest
         JOIN deliveries ON deliveries.id = newest.id
         WHERE EXISTS (SELECT 1 FROM watches WHERE id = :watchId AND account_id = :accountId)
         ORDER BY deliveries.event_seq DESC, deliveries.id DESC
         LIMIT :limit`,
        { accountId, watchId, status, limit, beforeSeq, beforeId },
      )
      return rows.map(deliveryOf)
    },

    find(accountId: string, id: string): { delivery: Delivery; attempts: Attempt[] } | null {
      const row = database.get<DeliveryRow>(
        `SELECT deliveries.* FROM deliveries JOIN watches ON watches.id = deliveries.watch_id
         WHERE deliveries.id = ? AND watches.account_id = ?`,
        [id, accountId],
      )
      if (row === undefined) return null
      const attempts = database.all<AttemptRow>(
        `SELECT 1 AS number, first_at AS at, first_duration AS duration, 'delivered' AS outcome,
                first_status_code AS status_code, first_answer AS answer, NULL AS error
         FROM deliveries WHERE id = :id AND first_at IS NOT NULL
         UNION ALL
         SELECT number, at, duration, outcome, status_code, answer, error FROM attempts WHERE delivery_id = :id
         ORDER BY number`,
        { id },
      )
      return { delivery: deliveryOf(row), attempts: attempts.map(attemptOf) }
    },

    ...resending(database),

    queueDepth(max: number): QueueDepth {
      const { waiting, leased, oldestDueAt } = database.get<QueueDepth>(
        `SELECT (SELECT count(*) FROM (
                   SELECT 1 FROM deliveries INDEXED BY deliveries_due
                   WHERE status = 'pending' AND lease_owner IS NULL AND critical IN (0, 1) AND due_at < :parked LIMIT :max)) AS waiting,
                (SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE lease_owner IS NOT NULL LIMIT :max)) AS leased,
                (SELECT min(oldest) FROM (
                   SELECT min(due_at) AS oldest FROM deliveries
                   WHERE status = 'pending' AND lease_owner IS NULL AND critical = 1 AND due_at < :parked
                   UNION ALL
                   SELECT min(due_at) FROM deliveries
                   WHERE status = 'pending' AND lease_owner IS NULL AND critical = 0 AND due_at < :parked)) AS oldestDueAt`,
        { max, parked: PARKED_DUE_AT },
      )!
      return { waiting, leased, oldestDueAt }
    },

    deleteExpired(before: number, limit: number): number {
      return database.transaction(() => deleteExpired(database, before, limit))
    },
  }
}
