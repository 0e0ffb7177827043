import type { Delivery } from '../../../domain/delivery.ts'
import type { MadeDue } from '../../interface/deliveries.ts'
import { type DeliveryRow, deliveryOf } from '../../shared/rows/delivery-rows.ts'
import type { Database } from '../database.ts'
import { bumpDueCounter } from './fan-out.ts'
import { markResent } from './listening.ts'

/** Methods that make deliveries due again. */
export function resending(database: Database) {
  return {
    redeliver(accountId: string, id: string, now: number): Delivery | null {
      return database.transaction(() => {
        const row = database.get<DeliveryRow>(
          `UPDATE deliveries
           SET status = 'pending', tries = 0, finished_at = NULL,
               due_at = CASE WHEN lease_owner IS NOT NULL AND due_at > :now THEN due_at ELSE :now END,
               lease_owner = CASE WHEN due_at > :now THEN lease_owner END
           WHERE id = :id AND test = 0
             AND EXISTS (SELECT 1 FROM watches WHERE id = deliveries.watch_id AND account_id = :accountId)
           RETURNING *`,
          { accountId, id, now },
        )
        if (row === undefined) return null
        markResent(database, [id])
        bumpDueCounter(database)
        return deliveryOf(row)
      })
    },

    redeliverMany(accountId: string, ids: readonly string[], now: number): number {
      return database.transaction(() => {
        const rows = database.all<{ id: string; event_seq: number }>(
          `UPDATE deliveries
           SET status = 'pending', tries = 0, finished_at = NULL,
               due_at = CASE WHEN lease_owner IS NOT NULL AND due_at > :now THEN due_at ELSE :now END,
               lease_owner = CASE WHEN due_at > :now THEN lease_owner END
           WHERE id IN (SELECT value FROM json_each(:ids)) AND test = 0
             AND EXISTS (SELECT 1 FROM watches WHERE id = deliveries.watch_id AND account_id = :accountId)
           RETURNING id, event_seq`,
          { accountId, ids: JSON.stringify(ids), now },
        )
        if (rows.length === 0) return 0
        markResent(
          database,
          rows.toSorted((one, other) => one.event_seq - other.event_seq).map(({ id }) => id),
        )
        bumpDueCounter(database)
        return rows.length
      })
    },

    makeDue(
      accountId: string,
      watchId: string,
      afterSeq: number,
      dueAfter: number,
      now: number,
      limit: number,
    ): MadeDue {
      return database.transaction(() => {
        const rows = database.all<{ id: string; event_seq: number; due_at: number }>(
          `SELECT id, event_seq, due_at FROM deliveries
           WHERE watch_id = :watchId AND status = 'pending' AND lease_owner IS NULL AND event_seq > :afterSeq
             AND EXISTS (SELECT 1 FROM watches WHERE id = :watchId AND account_id = :accountId)
           ORDER BY event_seq
           LIMIT +:limit`,
          { accountId, watchId, afterSeq, limit },
        )
        const ids = rows.filter((row) => row.due_at > dueAfter).map((row) => row.id)
        if (ids.length > 0) {
          database.run('UPDATE deliveries SET due_at = ? WHERE id IN (SELECT value FROM json_each(?))', [
            now,
            JSON.stringify(ids),
          ])
          bumpDueCounter(database)
        }
        return { due: ids.length, lastSeq: rows.length < limit ? null : rows.at(-1)!.event_seq }
      })
    },

    countPending(accountId: string, watchId: string, since: number): number {
      const { count } = database.get<{ count: number }>(
        `SELECT (SELECT count(*) FROM deliveries
                 WHERE watch_id = :watchId AND status = 'pending' AND lease_owner IS NULL AND created_at >= :since)
              + (SELECT count(*) FROM deliveries INDEXED BY deliveries_leased
                 WHERE watch_id = :watchId AND lease_owner IS NOT NULL AND created_at >= :since) AS count
         FROM watches WHERE id = :watchId AND account_id = :accountId`,
        { accountId, watchId, since },
      ) ?? { count: 0 }
      return count
    },

    recover(accountId: string, watchId: string, since: number, now: number, limit: number): number {
      return database.transaction(() => {
        const ids = database
          .all<{ id: string }>(
            `SELECT id FROM deliveries
             WHERE watch_id = :watchId AND status = 'failed' AND lease_owner IS NULL AND created_at >= :since AND test = 0
               AND EXISTS (SELECT 1 FROM watches WHERE id = :watchId AND account_id = :accountId)
             ORDER BY event_seq DESC
             LIMIT +:limit`,
            { accountId, watchId, since, limit },
          )
          .map(({ id }) => id)
        if (ids.length === 0) return 0
        database.run(
          `UPDATE deliveries SET status = 'pending', tries = 0, finished_at = NULL, due_at = ?
           WHERE id IN (SELECT value FROM json_each(?))`,
          [now, JSON.stringify(ids)],
        )
        markResent(database, ids.toReversed())
        bumpDueCounter(database)
        return ids.length
      })
    },
  }
}
