import type { Usage } from '../../store.ts'
import type { PostgresConnection } from '../connection/connection.ts'

export function usage(connection: PostgresConnection): Usage {
  return {
    async addCounts(counts) {
      if (counts.length === 0) return
      // Grouped, because one statement may write a row only once; ordered, to prevent deadlocks.
      await connection.query(
        `INSERT INTO usage (key_id, day, requests)
         SELECT key_id, day, sum(requests)
         FROM unnest($1::text[], $2::text[], $3::bigint[]) AS added (key_id, day, requests)
         GROUP BY key_id, day
         ORDER BY key_id, day
         ON CONFLICT (key_id, day) DO UPDATE SET requests = usage.requests + excluded.requests`,
        [counts.map((count) => count.keyId), counts.map((count) => count.day), counts.map((count) => count.requests)],
      )
    },

    async countRequests(accountId, day) {
      const [row] = await connection.query<{ requests: number }>(
        `SELECT coalesce(sum(usage.requests), 0)::bigint AS requests
         FROM usage JOIN keys ON keys.id = usage.key_id
         WHERE keys.account_id = $1 AND usage.day = $2`,
        [accountId, day],
      )
      return row!.requests
    },
  }
}
