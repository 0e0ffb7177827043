import { type ClaimRow, claimOf } from '../../shared/rows.ts'
import type { IdempotencyClaim } from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function idempotency(database: Database) {
  return {
    claim(id: string, fingerprint: string, now: number, expiredBefore: number, lostBefore: number): IdempotencyClaim {
      return database.transaction(() => {
        const claimed = database.run(
          `INSERT INTO idempotency (id, fingerprint, claimed_at) VALUES (:id, :fingerprint, :now)
           ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, claimed_at = excluded.claimed_at, answer = NULL
           WHERE claimed_at < :expiredBefore OR (answer IS NULL AND claimed_at < :lostBefore)`,
          { id, fingerprint, now, expiredBefore, lostBefore },
        )
        if (claimed === 1) return { state: 'claimed' }
        return claimOf(database.get<ClaimRow>('SELECT fingerprint, answer FROM idempotency WHERE id = ?', [id])!)
      })
    },

    /** Keeps the first answer: a holder that was taken for dead must not replace it later. */
    finish(id: string, answer: Uint8Array): void {
      database.run('UPDATE idempotency SET answer = ? WHERE id = ? AND answer IS NULL', [answer, id])
    },

    abandon(id: string): void {
      database.run('DELETE FROM idempotency WHERE id = ? AND answer IS NULL', [id])
    },

    deleteExpired(before: number): void {
      database.run('DELETE FROM idempotency WHERE claimed_at < ?', [before])
    },
  }
}
