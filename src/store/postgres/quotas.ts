import type { QuotaReservation, Quotas } from '../interface/accounts.ts'
import type { PostgresConnection } from './connection.ts'

/** The table is named `budgets`. It is unlogged: a reservation does not wait for the disk. */
export function quotas(connection: PostgresConnection): Quotas {
  return {
    async reserve(requests, now) {
      // Ordered, to prevent deadlocks. A window that ends more than twice its length from now
      // predates a clock rollback and is replaced; one ending a little late is from a node whose
      // clock is ahead.
      const rows = await connection.query<QuotaReservation & { caller: string }>(
        `INSERT INTO budgets AS budget (caller, ends_at, most, drawn, drawn_before)
         SELECT caller, $5 + length, most, least(amount, most), 0
         FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS asked (caller, amount, most, length)
         ORDER BY caller COLLATE "C"
         ON CONFLICT (caller) DO UPDATE SET
           most = excluded.most,
           ends_at = CASE
             WHEN budget.ends_at BETWEEN $5 + 1 AND $5 + 2 * (excluded.ends_at - $5) THEN budget.ends_at
             ELSE excluded.ends_at
           END,
           drawn = CASE
             WHEN budget.ends_at BETWEEN $5 + 1 AND $5 + 2 * (excluded.ends_at - $5)
             THEN greatest(budget.drawn, least(budget.drawn + excluded.drawn, excluded.most))
             ELSE excluded.drawn
           END,
           drawn_before = CASE
             WHEN budget.ends_at BETWEEN $5 + 1 AND $5 + 2 * (excluded.ends_at - $5) THEN budget.drawn
             ELSE 0
           END
         RETURNING caller, drawn - drawn_before AS amount, greatest(0, most - drawn) AS left, ends_at AS "endsAt"`,
        [
          requests.map(({ caller }) => caller),
          requests.map(({ amount }) => amount),
          requests.map(({ limit }) => limit),
          requests.map(({ window }) => window),
          now,
        ],
      )
      const reserved = new Map(rows.map(({ caller, ...row }) => [caller, row]))
      return requests.map(({ caller }) => reserved.get(caller)!)
    },

    async deleteExpired(now) {
      // Skips locked rows: waiting for one while holding another could deadlock.
      await connection.query(
        `DELETE FROM budgets WHERE caller = ANY (ARRAY(
           SELECT caller FROM budgets WHERE ends_at <= $1 FOR UPDATE SKIP LOCKED
         ))`,
        [now],
      )
    },
  }
}
