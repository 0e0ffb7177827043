import type { Budgets, Drawn } from '../budgets.ts'
import type { Connection } from './connection.ts'

export function budgets(connection: Connection): Budgets {
  return {
    async draw(draws, now) {
      // Ordered, so that two nodes cannot deadlock. A window that would end more than its length from now was begun by a clock that
      // has been set back since; one by a clock that is a little ahead of this one is as good as any.
      const rows = await connection.query<Drawn & { caller: string }>(
        `INSERT INTO budgets AS budget (caller, ends_at, most, drawn, last_draw)
         SELECT caller, $5 + length, most, least(amount, most), least(amount, most)
         FROM unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) AS asked (caller, amount, most, length)
         ORDER BY caller COLLATE "C"
         ON CONFLICT (caller) DO UPDATE SET (ends_at, most, drawn, last_draw) = (
           SELECT running.ends_at, excluded.most, running.drawn + granted.amount, granted.amount
           FROM (
             SELECT budget.ends_at, budget.drawn
             WHERE budget.ends_at BETWEEN $5 + 1 AND excluded.ends_at + (excluded.ends_at - $5)
             UNION ALL
             SELECT excluded.ends_at, 0
             WHERE budget.ends_at NOT BETWEEN $5 + 1 AND excluded.ends_at + (excluded.ends_at - $5)
           ) AS running,
           LATERAL (SELECT greatest(0, least(excluded.last_draw, excluded.most - running.drawn)) AS amount) AS granted
         )
         RETURNING caller, last_draw AS amount, greatest(0, most - drawn) AS left, ends_at AS "endsAt"`,
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

    async forget(now) {
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
