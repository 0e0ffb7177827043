import type { Deliveries, QueueDepth } from '../../deliveries.ts'
import { newWatchCursors, PARKED_DUE_AT } from '../../shared/lease.ts'
import {
  type AttemptRow,
  attemptOf,
  type DeliveryRow,
  deliveryOf,
  FIRST_POSITION,
} from '../../shared/rows/delivery-rows.ts'
import type { PostgresConnection } from '../connection/connection.ts'
import type { Listeners } from '../connection/listen.ts'
import { deleteExpired } from './delete-expired.ts'
import { insertDeliveries } from './fan-out.ts'
import { leaseDue } from './lease.ts'
import { hasten, postpone } from './postpone.ts'
import { recordAttempts } from './record-attempts.ts'
import { reschedule } from './reschedule.ts'
import { resending } from './resend.ts'
import { insertTest } from './test-messages.ts'

export function deliveries(connection: PostgresConnection, listeners: Listeners): Deliveries {
  const cursors = newWatchCursors()
  return {
    lease(owner, now, until, limit, except) {
      return connection.withConnection((query) => leaseDue(query, cursors, { owner, now, until, limit, except }))
    },

    postpone: (owner, deliveries) => postpone(connection.query, owner, deliveries),

    hasten: (watchId, now, limit) => hasten(connection.query, watchId, now, limit),

    recordAttempts(owner, results, now) {
      return connection.transaction((query) => recordAttempts(query, owner, results, now))
    },

    add(deliveries, now) {
      return connection.transaction(async (query) => (await insertDeliveries(query, deliveries, now, null)).length)
    },

    addTest: (test, now) => connection.transaction((query) => insertTest(query, test, now)),

    reschedule: (by, now) => reschedule(connection, by, now),

    /** Reads each status separately: at most `limit` rows of each. */
    async list(accountId, watchId, status, limit, before) {
      const { eventSeq, id } = before ?? FIRST_POSITION
      const rows = await connection.query<DeliveryRow>(
        `SELECT newest.*
         FROM unnest(ARRAY['pending', 'delivered', 'failed', 'cancelled']) AS walk (status)
         CROSS JOIN LATERAL (
           SELECT * FROM deliveries
           WHERE watch_id = $2 AND status = walk.status COLLATE "C" AND (event_seq, id) < ($5, $6)
           ORDER BY event_seq DESC, id DESC
           LIMIT $4
         ) AS newest
         WHERE ($3::text IS NULL OR walk.status = $3)
           AND EXISTS (SELECT 1 FROM watches WHERE id = $2 AND account_id = $1)
         ORDER BY newest.event_seq DESC, newest.id DESC
         LIMIT $4`,
        [accountId, watchId, status, limit, eventSeq, id],
      )
      return rows.map(deliveryOf)
    },

    find(accountId, id) {
      return connection.withConnection(async (query) => {
        const [row] = await query<DeliveryRow>(
          `SELECT deliveries.* FROM deliveries JOIN watches ON watches.id = deliveries.watch_id
           WHERE deliveries.id = $1 AND watches.account_id = $2`,
          [id, accountId],
        )
        if (row === undefined) return null
        const attempts = await query<AttemptRow>('SELECT * FROM attempts WHERE delivery_id = $1 ORDER BY number', [id])
        return { delivery: deliveryOf(row), attempts: attempts.map(attemptOf) }
      })
    },

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

    deleteExpired: (before, limit) => connection.transaction((query) => deleteExpired(query, before, limit)),

    onDue: (listener) => listeners.add('deliveries', listener),
  }
}
