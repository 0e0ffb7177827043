import type { Deliveries, QueueDepth } from '../../interface/deliveries.ts'
import { newWatchCursors, PARKED_DUE_AT } from '../../shared/lease.ts'
import type { PostgresConnection } from '../connection.ts'
import { lockedRevision } from '../watches/watch-head.ts'
import { deleteExpired } from './delete-expired.ts'
import { deliveryLog } from './delivery-log.ts'
import { insertDeliveries } from './fan-out.ts'
import { leaseDue, leaseOfWatch } from './lease.ts'
import { markResent } from './listening.ts'
import { makeDueNow, postpone } from './postpone.ts'
import { recordAttempts } from './record-attempts.ts'
import { reschedule } from './reschedule.ts'
import { resending } from './resend.ts'
import { insertTest } from './test-messages.ts'
import { findSameRecipient, leaseForSameRecipient } from './together.ts'

export function deliveries(connection: PostgresConnection): Omit<Deliveries, 'onChange' | 'onAppend' | 'onDue'> {
  const cursors = newWatchCursors()
  return {
    lease(owner, now, until, limit, except) {
      return connection.withConnection((query) => leaseDue(query, cursors, { owner, now, until, limit, except }))
    },

    leaseOfWatch(owner, watchId, now, until, limit) {
      const request = { owner, now, until, limit, except: { accountIds: [], watchIds: [] } }
      return connection.withConnection((query) => leaseOfWatch(query, watchId, request))
    },

    findSameRecipient: (watchId, most) => findSameRecipient(connection.query, watchId, most),

    async findNotifiedWatches(eventSeqs, watchIds) {
      const rows = await connection.query<{ id: string }>(
        `SELECT DISTINCT watch_id AS id FROM deliveries
         WHERE event_seq = ANY($1) AND watch_id = ANY($2) AND NOT test AND (attempts > 0 OR status = 'pending')`,
        [eventSeqs, watchIds],
      )
      return rows.map(({ id }) => id)
    },

    leaseForSameRecipient(owner, held, watchIds, now, until) {
      return connection.transaction((query) => leaseForSameRecipient(query, { owner, held, watchIds, now, until }))
    },

    postpone: (owner, deliveries) => postpone(connection.query, owner, deliveries),

    makeDueNow: (watchId, now, limit) => makeDueNow(connection.query, watchId, now, limit),

    recordAttempts(owner, results, now) {
      return connection.transaction((query) => recordAttempts(query, owner, results, now))
    },

    add(deliveries, now) {
      return connection.transaction(async (query) => {
        // Before the watches' sequences, as when a watch is changed or removed: a fixed order
        // prevents deadlocks.
        await lockedRevision(query)
        const ids = (await insertDeliveries(query, deliveries, now, null)).map(({ delivery }) => delivery.id)
        if (ids.length > 0) await markResent(query, ids)
        return ids.length
      })
    },

    addTest: (test, now) => connection.transaction((query) => insertTest(query, test, now)),

    reschedule: (by, now) => reschedule(connection, by, now),

    ...deliveryLog(connection),

    ...resending(connection),

    async queueDepth(max) {
      const [depth] = await connection.query<QueueDepth>(
        `SELECT (SELECT count(*) FROM (
                   SELECT 1 FROM deliveries WHERE status = 'pending' AND lease_owner IS NULL AND due_at < $2 LIMIT $1) AS counted) AS waiting,
                (SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE lease_owner IS NOT NULL LIMIT $1) AS counted) AS leased,
                least(
                  (SELECT min(due_at) FROM deliveries WHERE status = 'pending' AND lease_owner IS NULL AND critical AND due_at < $2),
                  (SELECT min(due_at) FROM deliveries WHERE status = 'pending' AND lease_owner IS NULL AND NOT critical AND due_at < $2)
                ) AS "oldestDueAt"`,
        [max, PARKED_DUE_AT],
      )
      return depth!
    },

    async recentLatencies(since, limit) {
      const rows = await connection.query<{ latency: number }>(
        `SELECT greatest(0, finished_at - at) AS latency
         FROM (
           SELECT event_seq, finished_at, status, attempts, test FROM deliveries
           WHERE finished_at IS NOT NULL AND finished_at >= $1
           ORDER BY finished_at DESC
           LIMIT $2
         ) AS recent
         JOIN events ON seq = event_seq
         WHERE at >= $1 AND status = 'delivered' AND attempts = 1 AND NOT test`,
        [since, limit],
      )
      return rows.map(({ latency }) => latency)
    },

    deleteExpired: (before, limit) => connection.transaction((query) => deleteExpired(query, before, limit)),
  }
}
