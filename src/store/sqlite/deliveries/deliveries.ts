import type {
  AttemptResult,
  Dispatch,
  FailingWatch,
  FullQueues,
  HeldDelivery,
  LeaseResult,
  NewDelivery,
  PostponedDelivery,
  QueueDepth,
  SameRecipientLease,
  SameRecipientWatch,
  TestDelivery,
} from '../../interface/deliveries.ts'
import { newWatchCursors, PARKED_DUE_AT } from '../../shared/lease.ts'
import type { Database } from '../database.ts'
import { deleteExpired } from './delete-expired.ts'
import { deliveryLog } from './delivery-log.ts'
import { bumpDueCounter, insertDeliveries } from './fan-out.ts'
import { leaseDue, leaseOfWatch } from './lease.ts'
import { markResent } from './listening.ts'
import { makeDueNow, postpone } from './postpone.ts'
import { recordAttempts } from './record-attempts.ts'
import { resending } from './resend.ts'
import { insertTest } from './test-messages.ts'
import { findSameRecipient, leaseForSameRecipient } from './together.ts'

export function deliveries(database: Database) {
  const cursors = newWatchCursors()
  return {
    lease(owner: string, now: number, until: number, limit: number, except: FullQueues): LeaseResult {
      return database.transaction(() => leaseDue(database, cursors, { owner, now, until, limit, except }))
    },

    leaseOfWatch(owner: string, watchId: string, now: number, until: number, limit: number): Dispatch[] {
      const request = { owner, now, until, limit, except: { accountIds: [], watchIds: [] } }
      return database.transaction(() => leaseOfWatch(database, watchId, request))
    },

    findSameRecipient(watchId: string, most: number): SameRecipientWatch[] {
      return findSameRecipient(database, watchId, most)
    },

    findNotifiedWatches(eventSeqs: readonly number[], watchIds: readonly string[]): string[] {
      const rows = database.all<{ id: string }>(
        `SELECT DISTINCT deliveries.watch_id AS id
         FROM json_each(?) AS event
         CROSS JOIN json_each(?) AS asked
         JOIN deliveries ON deliveries.event_seq = event.value AND deliveries.watch_id = asked.value AND deliveries.test = 0
         WHERE deliveries.attempts > 0 OR deliveries.status = 'pending'`,
        [JSON.stringify(eventSeqs), JSON.stringify(watchIds)],
      )
      return rows.map(({ id }) => id)
    },

    leaseForSameRecipient(
      owner: string,
      held: readonly HeldDelivery[],
      watchIds: readonly string[],
      now: number,
      until: number,
    ): SameRecipientLease {
      return database.transaction(() => leaseForSameRecipient(database, { owner, held, watchIds, now, until }))
    },

    postpone(owner: string, deliveries: readonly PostponedDelivery[]): void {
      database.transaction(() => postpone(database, owner, deliveries))
    },

    makeDueNow(watchId: string, now: number, limit: number): number {
      return database.transaction(() => makeDueNow(database, watchId, now, limit))
    },

    recordAttempts(owner: string, results: readonly AttemptResult[], now: number): FailingWatch[] {
      return database.transaction(() => recordAttempts(database, owner, results, now))
    },

    add(deliveries: readonly NewDelivery[], now: number): number {
      return database.transaction(() => {
        const ids = insertDeliveries(database, deliveries, now, null).map(({ delivery }) => delivery.id)
        if (ids.length > 0) markResent(database, ids)
        return ids.length
      })
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

    ...deliveryLog(database),

    ...resending(database),

    queueDepth(max: number): QueueDepth {
      const { waiting, leased, oldestDueAt } = database.get<QueueDepth>(
        `SELECT (SELECT count(*) FROM (
                   SELECT 1 FROM deliveries INDEXED BY deliveries_due
                   WHERE status = 'pending' AND lease_owner IS NULL AND critical IN (0, 1) AND due_at < :parked LIMIT +:max)) AS waiting,
                (SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE lease_owner IS NOT NULL LIMIT +:max)) AS leased,
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

    recentLatencies(since: number, limit: number): number[] {
      return database
        .all<{ latency: number }>(
          `SELECT max(0, finished_at - at) AS latency
           FROM (
             SELECT event_seq, finished_at, status, attempts, test FROM deliveries
             WHERE finished_at IS NOT NULL AND finished_at >= ?1
             ORDER BY finished_at DESC
             LIMIT +?2
           ) AS recent
           JOIN events ON seq = event_seq
           WHERE at >= ?1 AND status = 'delivered' AND attempts = 1 AND test = 0`,
          [since, limit],
        )
        .map(({ latency }) => latency)
    },

    deleteExpired(before: number, limit: number): number {
      return database.transaction(() => deleteExpired(database, before, limit))
    },
  }
}
