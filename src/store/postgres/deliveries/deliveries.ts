import type { Deliveries, QueueDepth } from '../../deliveries.ts'
import { type AttemptRow, attemptOf, type DeliveryRow, deliveryOf } from '../../shared/delivery-rows.ts'
import { newWatchCursors } from '../../shared/lease.ts'
import type { PostgresConnection } from '../connection/connection.ts'
import type { Listeners } from '../connection/listen.ts'
import { deleteExpired } from './delete-expired.ts'
import { insertDeliveries, notifyDue } from './fan-out.ts'
import { leaseDue } from './lease.ts'
import { hasten, postpone } from './postpone.ts'
import { recordAttempts } from './record-attempts.ts'
import { reschedule } from './reschedule.ts'

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

    reschedule: (by, now) => reschedule(connection, by, now),

    /** Reads each status separately: at most `limit` rows of each. */
    async list(accountId, watchId, status, limit, before) {
      const rows = await connection.query<DeliveryRow>(
        `SELECT newest.*
         FROM unnest(ARRAY['pending', 'delivered', 'failed']) AS walk (status)
         CROSS JOIN LATERAL (
           SELECT * FROM deliveries
           WHERE watch_id = $2 AND status = walk.status COLLATE "C" AND event_seq < $5
           ORDER BY event_seq DESC
           LIMIT $4
         ) AS newest
         WHERE ($3::text IS NULL OR walk.status = $3)
           AND EXISTS (SELECT 1 FROM watches WHERE id = $2 AND account_id = $1)
         ORDER BY newest.event_seq DESC
         LIMIT $4`,
        [accountId, watchId, status, limit, before ?? Number.MAX_SAFE_INTEGER],
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

    redeliver(accountId, id, now) {
      return connection.transaction(async (query) => {
        const [row] = await query<DeliveryRow>(
          `UPDATE deliveries
           SET status = 'pending', tries = 0, finished_at = NULL,
               due_at = CASE WHEN lease_owner IS NOT NULL AND due_at > $3 THEN due_at ELSE $3 END,
               lease_owner = CASE WHEN due_at > $3 THEN lease_owner END
           WHERE id = $2
             AND EXISTS (SELECT 1 FROM watches WHERE id = deliveries.watch_id AND account_id = $1)
           RETURNING *`,
          [accountId, id, now],
        )
        if (row === undefined) return null
        await notifyDue(query)
        return deliveryOf(row)
      })
    },

    recover(accountId, watchId, since, now, limit) {
      return connection.transaction(async (query) => {
        const recovered = await query(
          `UPDATE deliveries SET status = 'pending', tries = 0, finished_at = NULL, due_at = $4
           WHERE id = ANY (ARRAY(
             SELECT id FROM deliveries
             WHERE watch_id = $2 AND status = 'failed' AND created_at >= $3
               AND EXISTS (SELECT 1 FROM watches WHERE id = $2 AND account_id = $1)
             ORDER BY event_seq DESC
             LIMIT $5
             FOR UPDATE
           ))
           RETURNING id`,
          [accountId, watchId, since, now, limit],
        )
        if (recovered.length > 0) await notifyDue(query)
        return recovered.length
      })
    },

    async queueDepth(max) {
      const [depth] = await connection.query<QueueDepth>(
        `SELECT (SELECT count(*) FROM (
                   SELECT 1 FROM deliveries WHERE status = 'pending' AND lease_owner IS NULL LIMIT $1) AS counted) AS waiting,
                (SELECT count(*) FROM (SELECT 1 FROM deliveries WHERE lease_owner IS NOT NULL LIMIT $1) AS counted) AS leased,
                least(
                  (SELECT min(due_at) FROM deliveries WHERE status = 'pending' AND lease_owner IS NULL AND critical),
                  (SELECT min(due_at) FROM deliveries WHERE status = 'pending' AND lease_owner IS NULL AND NOT critical)
                ) AS "oldestDueAt"`,
        [max],
      )
      return depth!
    },

    deleteExpired: (before, limit) => connection.transaction((query) => deleteExpired(query, before, limit)),

    onDue: (listener) => listeners.add('deliveries', listener),
  }
}
