import type { DayUsage, KeyUsage, Usage } from '../../store.ts'
import type { PostgresConnection } from '../connection/connection.ts'

export function usage(connection: PostgresConnection): Usage {
  return {
    async addCounts(counts) {
      if (counts.length === 0) return
      // Grouped, because one statement may write a row only once; ordered, to prevent deadlocks.
      await connection.query(
        `INSERT INTO usage (key_id, day, requests, last_at)
         SELECT key_id, day, sum(requests), max(last_at)
         FROM unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) AS added (key_id, day, requests, last_at)
         GROUP BY key_id, day
         ORDER BY key_id, day
         ON CONFLICT (key_id, day) DO UPDATE SET
           requests = usage.requests + excluded.requests,
           last_at = greatest(usage.last_at, excluded.last_at)`,
        [
          counts.map((count) => count.keyId),
          counts.map((count) => count.day),
          counts.map((count) => count.requests),
          counts.map((count) => count.lastAt),
        ],
      )
    },

    async countRequests(accountId, day) {
      const [row] = await connection.query<{ requests: number }>(
        `SELECT coalesce(sum(usage.requests), 0)::bigint AS requests
         FROM (SELECT id FROM keys WHERE account_id = $1 UNION ALL SELECT $1) AS counted
         JOIN usage ON usage.key_id = counted.id
         WHERE usage.day = $2`,
        [accountId, day],
      )
      return row!.requests
    },

    byDay: (accountId, fromDay) =>
      connection.query<DayUsage>(
        `SELECT usage.day, sum(usage.requests)::bigint AS requests
         FROM (SELECT id FROM keys WHERE account_id = $1 UNION ALL SELECT $1) AS counted
         JOIN usage ON usage.key_id = counted.id
         WHERE usage.day >= $2
         GROUP BY usage.day ORDER BY usage.day`,
        [accountId, fromDay],
      ),

    byKey: (keyIds, fromDay) =>
      connection.query<KeyUsage>(
        `SELECT key_id AS "keyId", coalesce(sum(requests) FILTER (WHERE day >= $2), 0)::bigint AS requests,
                max(coalesce(last_at, (extract(epoch FROM (day || 'T00:00:00Z')::timestamptz) * 1000)::bigint)) AS "lastUsedAt"
         FROM usage WHERE key_id = ANY ($1)
         GROUP BY key_id`,
        [keyIds, fromDay],
      ),

    byAccount: (accountIds, fromDay) =>
      connection.query<{ accountId: string; requests: number }>(
        `SELECT counted.account_id AS "accountId", sum(usage.requests)::bigint AS requests
         FROM (SELECT id, account_id FROM keys WHERE account_id = ANY ($1)
               UNION ALL SELECT id, id FROM unnest($1::text[]) AS asked (id)) AS counted
         JOIN usage ON usage.key_id = counted.id
         WHERE usage.day >= $2
         GROUP BY counted.account_id`,
        [accountIds, fromDay],
      ),
  }
}
