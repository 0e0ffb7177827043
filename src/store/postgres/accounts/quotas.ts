import type { QuotaReservation, Quotas } from '../../quotas.ts'
import type { Connection } from '../connection/connection.ts'

export function quotas(connection: Connection): Quotas {
  return {
    async reserve(draws, now) {
      // Ordered, so that two nodes cannot deadlock. A window that would end more than its length from now was begun by a clock that
      // has been set back since; one by a clock that is a little ahead of this one is as good as any.
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
          draws.map(({ caller }) => caller),
          draws.map(({ amount }) => amount),
          draws.map(({ limit }) => limit),
          draws.map(({ window }) => window),
          now,
        ],
      )
      const drawn = new Map(rows.map(({ caller, ...row }) => [caller, row]))
      return draws.map(({ caller }) => drawn.get(caller)!)
    },

    async deleteExpired(now) {
      // Those that somebody is at are left alone: waiting for one while holding another could deadlock.
      await connection.query(
        `DELETE FROM budgets WHERE caller = ANY (ARRAY(
           SELECT caller FROM budgets WHERE ends_at <= $1 FOR UPDATE SKIP LOCKED
         ))`,
        [now],
      )
    },
  }
}
