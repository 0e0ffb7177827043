import type { DayUsage, KeyUsage, UsageCount } from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function usage(database: Database) {
  return {
    addCounts(counts: readonly UsageCount[]): void {
      if (counts.length === 0) return
      database.transaction(() => {
        for (const { keyId, day, requests, lastAt } of counts) {
          database.run(
            `INSERT INTO usage (key_id, day, requests, last_at) VALUES (?, ?, ?, ?)
             ON CONFLICT (key_id, day) DO UPDATE SET
               requests = requests + excluded.requests,
               last_at = max(coalesce(last_at, 0), excluded.last_at)`,
            [keyId, day, requests, lastAt],
          )
        }
      })
    },

    countRequests(accountId: string, day: string): number {
      const row = database.get<{ requests: number }>(
        `SELECT coalesce(sum(usage.requests), 0) AS requests
         FROM (SELECT id FROM keys WHERE account_id = ?1 UNION ALL SELECT ?1) AS counted
         JOIN usage ON usage.key_id = counted.id
         WHERE usage.day = ?2`,
        [accountId, day],
      )
      return row!.requests
    },

    byDay(accountId: string, fromDay: string): DayUsage[] {
      return database.all<DayUsage>(
        `SELECT usage.day, sum(usage.requests) AS requests
         FROM (SELECT id FROM keys WHERE account_id = ?1 UNION ALL SELECT ?1) AS counted
         JOIN usage ON usage.key_id = counted.id
         WHERE usage.day >= ?2
         GROUP BY usage.day ORDER BY usage.day`,
        [accountId, fromDay],
      )
    },

    byKey(keyIds: readonly string[], fromDay: string): KeyUsage[] {
      return database.all<KeyUsage>(
        `SELECT usage.key_id AS keyId, coalesce(sum(usage.requests) FILTER (WHERE usage.day >= ?2), 0) AS requests,
                max(coalesce(usage.last_at, unixepoch(usage.day) * 1000)) AS lastUsedAt
         FROM json_each(?1) AS asked JOIN usage ON usage.key_id = asked.value
         GROUP BY usage.key_id`,
        [JSON.stringify(keyIds), fromDay],
      )
    },

    byAccount(accountIds: readonly string[], fromDay: string): { accountId: string; requests: number }[] {
      return database.all<{ accountId: string; requests: number }>(
        `SELECT counted.account_id AS accountId, sum(usage.requests) AS requests
         FROM (SELECT keys.id, keys.account_id FROM json_each(?1) AS asked JOIN keys ON keys.account_id = asked.value
               UNION ALL SELECT value, value FROM json_each(?1)) AS counted
         JOIN usage ON usage.key_id = counted.id
         WHERE usage.day >= ?2
         GROUP BY counted.account_id`,
        [JSON.stringify(accountIds), fromDay],
      )
    },
  }
}
