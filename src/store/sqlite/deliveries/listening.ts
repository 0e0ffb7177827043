import type { ListeningHeads, ResentDelivery } from '../../interface/deliveries.ts'
import { type DeliveryRow, deliveryOf } from '../../shared/rows/delivery-rows.ts'
import type { Database } from '../database.ts'

export function listening(database: Database) {
  return {
    heads(): ListeningHeads {
      const heads = database.get<ListeningHeads>(
        `SELECT (SELECT seq FROM log_head) AS logged, (SELECT seq FROM fan_out) AS written,
                (SELECT resent FROM watch_head) AS resent`,
      )
      return { ...heads! }
    },

    resentAfter(accountId: string, watchId: string, resent: number, limit: number): ResentDelivery[] {
      const rows = database.all<DeliveryRow & { resent: number }>(
        `SELECT * FROM deliveries INDEXED BY deliveries_resent
         WHERE watch_id = :watchId AND resent > :resent
           AND EXISTS (SELECT 1 FROM watches WHERE id = :watchId AND account_id = :accountId)
         ORDER BY resent
         LIMIT +:limit`,
        { accountId, watchId, resent, limit },
      )
      return rows.map((row) => ({ resent: row.resent, delivery: deliveryOf(row) }))
    },
  }
}

/** Returns the first of `count` numbers. Runs within the caller's transaction. */
export function takeResentNumbers(database: Database, count: number): number {
  const { resent } = database.get<{ resent: number }>('UPDATE watch_head SET resent = resent + ? RETURNING resent', [
    count,
  ])!
  return resent - count + 1
}

/** Numbers deliveries in the order given. Runs within the caller's transaction. */
export function markResent(database: Database, ids: readonly string[]): void {
  let number = takeResentNumbers(database, ids.length)
  for (const id of ids) database.run('UPDATE deliveries SET resent = ? WHERE id = ?', [number++, id])
}
