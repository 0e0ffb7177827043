import type { Deliveries } from '../../interface/deliveries.ts'
import { type DeliveryRow, deliveryOf } from '../../shared/rows/delivery-rows.ts'
import type { PostgresConnection } from '../connection.ts'
import { notifyDue } from './fan-out.ts'
import { markResent } from './listening.ts'

/** Methods that make deliveries due again. */
export function resending(
  connection: PostgresConnection,
): Pick<Deliveries, 'redeliver' | 'redeliverMany' | 'makeDue' | 'countPending' | 'recover'> {
  return {
    redeliver(accountId, id, now) {
      return connection.transaction(async (query) => {
        const [row] = await query<DeliveryRow>(
          `UPDATE deliveries
           SET status = 'pending', tries = 0, finished_at = NULL,
               due_at = CASE WHEN lease_owner IS NOT NULL AND due_at > $3 THEN due_at ELSE $3 END,
               lease_owner = CASE WHEN due_at > $3 THEN lease_owner END
           WHERE id = $2 AND NOT test
             AND EXISTS (SELECT 1 FROM watches WHERE id = deliveries.watch_id AND account_id = $1)
           RETURNING *`,
          [accountId, id, now],
        )
        if (row === undefined) return null
        await markResent(query, [id])
        await notifyDue(query)
        return deliveryOf(row)
      })
    },

    redeliverMany(accountId, ids, now) {
      return connection.transaction(async (query) => {
        // A fixed order prevents deadlocks with other calls, and with recording attempts.
        await query('SELECT FROM deliveries WHERE id = ANY ($1) ORDER BY id FOR UPDATE', [ids])
        const rows = await query<{ id: string; event_seq: number }>(
          `UPDATE deliveries
           SET status = 'pending', tries = 0, finished_at = NULL,
               due_at = CASE WHEN lease_owner IS NOT NULL AND due_at > $3 THEN due_at ELSE $3 END,
               lease_owner = CASE WHEN due_at > $3 THEN lease_owner END
           WHERE id = ANY ($2) AND NOT test
             AND EXISTS (SELECT 1 FROM watches WHERE id = deliveries.watch_id AND account_id = $1)
           RETURNING id, event_seq`,
          [accountId, ids, now],
        )
        if (rows.length === 0) return 0
        await markResent(
          query,
          rows.toSorted((one, other) => one.event_seq - other.event_seq).map(({ id }) => id),
        )
        await notifyDue(query)
        return rows.length
      })
    },

    makeDue(accountId, watchId, afterSeq, dueAfter, now, limit) {
      return connection.transaction(async (query) => {
        const rows = await query<{ id: string; event_seq: number; due_at: number }>(
          `SELECT id, event_seq, due_at FROM deliveries
           WHERE watch_id = $2 AND status = 'pending' AND lease_owner IS NULL AND event_seq > $3
             AND EXISTS (SELECT 1 FROM watches WHERE id = $2 AND account_id = $1)
           ORDER BY event_seq
           LIMIT $4
           FOR UPDATE`,
          [accountId, watchId, afterSeq, limit],
        )
        const ids = rows.filter((row) => row.due_at > dueAfter).map((row) => row.id)
        if (ids.length > 0) {
          await query('UPDATE deliveries SET due_at = $2 WHERE id = ANY($1)', [ids, now])
          await notifyDue(query)
        }
        return { due: ids.length, lastSeq: rows.length < limit ? null : rows.at(-1)!.event_seq }
      })
    },

    async countPending(accountId, watchId, since) {
      const [row] = await connection.query<{ count: number }>(
        `SELECT count(*) AS count FROM deliveries
         WHERE watch_id = $2 AND status = 'pending' AND created_at >= $3
           AND EXISTS (SELECT 1 FROM watches WHERE id = $2 AND account_id = $1)`,
        [accountId, watchId, since],
      )
      return row!.count
    },

    recover(accountId, watchId, since, now, limit) {
      return connection.transaction(async (query) => {
        const recovered = await query<{ id: string; event_seq: number }>(
          `UPDATE deliveries SET status = 'pending', tries = 0, finished_at = NULL, due_at = $4
           WHERE id = ANY (ARRAY(
             SELECT id FROM deliveries
             WHERE watch_id = $2 AND status = 'failed' AND created_at >= $3 AND NOT test
               AND EXISTS (SELECT 1 FROM watches WHERE id = $2 AND account_id = $1)
             ORDER BY event_seq DESC
             LIMIT $5
             FOR UPDATE
           ))
           RETURNING id, event_seq`,
          [accountId, watchId, since, now, limit],
        )
        if (recovered.length === 0) return 0
        const inOrder = recovered.toSorted((one, other) => one.event_seq - other.event_seq)
        await markResent(
          query,
          inOrder.map(({ id }) => id),
        )
        await notifyDue(query)
        return recovered.length
      })
    },
  }
}
