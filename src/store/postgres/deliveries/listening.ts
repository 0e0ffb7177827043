import type { Listening, ListeningHeads } from '../../interface/deliveries.ts'
import { type DeliveryRow, deliveryOf } from '../../shared/rows/delivery-rows.ts'
import type { PostgresConnection, Query } from '../connection.ts'

export function listening(connection: PostgresConnection): Listening {
  return {
    async heads() {
      const [heads] = await connection.query<ListeningHeads>(
        `SELECT (SELECT seq FROM log_head) AS logged, (SELECT seq FROM fan_out) AS written,
                (SELECT resent FROM watch_head) AS resent`,
      )
      return heads!
    },

    async resentAfter(accountId, watchId, resent, limit) {
      const rows = await connection.query<DeliveryRow & { resent: number }>(
        `SELECT * FROM deliveries
         WHERE watch_id = $2 AND resent > $3
           AND EXISTS (SELECT 1 FROM watches WHERE id = $2 AND account_id = $1)
         ORDER BY resent
         LIMIT $4`,
        [accountId, watchId, resent, limit],
      )
      return rows.map((row) => ({ resent: row.resent, delivery: deliveryOf(row) }))
    },
  }
}

/**
 * Returns the first of `count` numbers. Runs within the caller's transaction; the row stays locked
 * until it ends, so that numbers are visible in order.
 */
export async function takeResentNumbers(query: Query, count: number): Promise<number> {
  const [row] = await query<{ resent: number }>('UPDATE watch_head SET resent = resent + $1 RETURNING resent', [count])
  return row!.resent - count + 1
}

/** Numbers deliveries in the order given. Runs within the caller's transaction. */
export async function markResent(query: Query, ids: readonly string[]): Promise<void> {
  const first = await takeResentNumbers(query, ids.length)
  await query(
    `UPDATE deliveries SET resent = given.resent
     FROM unnest($1::text[], $2::bigint[]) AS given (id, resent)
     WHERE deliveries.id = given.id COLLATE "C"`,
    [ids, ids.map((_, index) => first + index)],
  )
}
