import type { Attempt, Delivery, DeliveryStatus } from '../../../domain/delivery/delivery.ts'
import type {
  AttemptResult,
  FailingWatch,
  FullQueues,
  LeaseResult,
  NewDelivery,
  PostponedDelivery,
  QueueDepth,
} from '../../deliveries.ts'
import { type AttemptRow, attemptOf, type DeliveryRow, deliveryOf } from '../../shared/delivery-rows.ts'
import { newWatchCursors } from '../../shared/lease.ts'
import type { Database } from '../connection/database.ts'
import { deleteExpired } from './delete-expired.ts'
import { bumpDueCounter, insertDeliveries } from './fan-out.ts'
import { leaseDue } from './lease.ts'
import { hasten, postpone } from './postpone.ts'
import { recordAttempts } from './record-attempts.ts'

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

    reschedule(by: number, now: number): void {
      database.transaction(() => {
        // `critical IN (0, 1)` lets SQLite use the queue's index, which starts with that column.
        database.run(
          `UPDATE deliveries SET due_at = max(?, due_at - ?)
           WHERE status = 'pending' AND lease_owner IS NULL AND critical IN (0, 1) AND due_at > ?`,
          [now, by, now],
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
      before: number | null,
    ): Delivery[] {
      const rows = database.all<DeliveryRow>(
        `SELECT deliveries.* FROM (
           SELECT id FROM (SELECT id, event_seq FROM deliveries
             WHERE watch_id = :watchId AND status = 'pending' AND lease_owner IS NULL AND event_seq < :before
             ORDER BY event_seq DESC LIMIT :limit)
             WHERE :status IS NULL OR :status = 'pending'
           UNION ALL
           SELECT id FROM (SELECT id, event_seq FROM deliveries
             WHERE watch_id = :watchId AND status = 'delivered' AND lease_owner IS NULL AND event_seq < :before
             ORDER BY event_seq DESC LIMIT :limit)
             WHERE :status IS NULL OR :status = 'delivered'
           UNION ALL
           SELECT id FROM (SELECT id, event_seq FROM deliveries
             WHERE watch_id = :watchId AND status = 'failed' AND lease_owner IS NULL AND event_seq < :before
             ORDER BY event_seq DESC LIMIT :limit)
             WHERE :status IS NULL OR :status = 'failed'
           UNION ALL
           SELECT id FROM deliveries INDEXED BY deliveries_leased
             WHERE watch_id = :watchId AND lease_owner IS NOT NULL AND event_seq < :before
               AND (:status IS NULL OR :status = 'pending')
         ) AS newest
         JOIN deliveries ON deliveries.id = newest.id
         WHERE EXISTS (SELECT 1 FROM watches WHERE id = :watchId AND account_id = :accountId)
         ORDER BY deliveries.event_seq DESC
         LIMIT :limit`,
        { accountId, watchId, status, limit, before: before ?? Number.MAX_SAFE_INTEGER },
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

    redeliver(accountId: string, id: string, now: number): Delivery | null {
      return database.transaction(() => {
        const row = database.get<DeliveryRow>(
          `UPDATE deliveries
           SET status = 'pending', tries = 0, finished_at = NULL,
               due_at = CASE WHEN lease_owner IS NOT NULL AND due_at > :now THEN due_at ELSE :now END,
               lease_owner = CASE WHEN due_at > :now THEN lease_owner END
           WHERE id = :id
             AND EXISTS (SELECT 1 FROM watches WHERE id = deliveries.watch_id AND account_id = :accountId)
           RETURNING *`,
          { accountId, id, now },
        )
        if (row === undefined) return null
        bumpDueCounter(database)
        return deliveryOf(row)
      })
    },

    recover(accountId: string, watchId: string, since: number, now: number, limit: number): number {
      return database.transaction(() => {
        const recovered = database.run(
          `UPDATE deliveries SET status = 'pending', tries = 0, finished_at = NULL, due_at = :now
           WHERE id IN (
             SELECT id FROM deliveries
             WHERE watch_id = :watchId AND status = 'failed' AND lease_owner IS NULL AND created_at >= :since
               AND EXISTS (SELECT 1 FROM watches WHERE id = :watchId AND account_id = :accountId)
             ORDER BY event_seq DESC
             LIMIT :limit
           )`,
          { accountId, watchId, since, now, limit },
        )
        if (recovered > 0) bumpDueCounter(database)
        return recovered
      })
    },

    queueDepth(max: number): QueueDepth {
      const { waiting, leased, oldestDueAt } = database.get<QueueDepth>(
        `SELECT (SELECT count(*) FROM (
                   SELECT 1 FROM deliveries INDEXED BY deliveries_due
                   WHERE status = 'pending' AND lease_owner IS NULL LIMIT :max)) AS waiting,
                (SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE lease_owner IS NOT NULL LIMIT :max)) AS leased,
                (SELECT min(oldest) FROM (
                   SELECT min(due_at) AS oldest FROM deliveries
                   WHERE status = 'pending' AND lease_owner IS NULL AND critical = 1
                   UNION ALL
                   SELECT min(due_at) FROM deliveries
                   WHERE status = 'pending' AND lease_owner IS NULL AND critical = 0)) AS oldestDueAt`,
        { max },
      )!
      return { waiting, leased, oldestDueAt }
    },

    deleteExpired(before: number, limit: number): number {
      return database.transaction(() => deleteExpired(database, before, limit))
    },
  }
}
