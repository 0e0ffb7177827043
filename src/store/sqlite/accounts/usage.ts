import type { UsageCount } from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function usage(database: Database) {
  return {
    addCounts(counts: readonly UsageCount[]): void {
      if (counts.length === 0) return
      database.transaction(() => {
        for (const { keyId, day, requests } of counts) {
          database.run(
            `INSERT INTO usage (key_id, day, requests) VALUES (?, ?, ?)
             ON CONFLICT (key_id, day) DO UPDATE SET requests = requests + excluded.requests`,
            [keyId, day, requests],
          )
        }
      })
    },

    countRequests(accountId: string, day: string): number {
      const row = database.get<{ requests: number }>(
        `SELECT coalesce(sum(usage.requests), 0) AS requests
         FROM usage JOIN keys ON keys.id = usage.key_id
         WHERE keys.account_id = ? AND usage.day = ?`,
        [accountId, day],
      )
      return row!.requests
    },
  }
}
