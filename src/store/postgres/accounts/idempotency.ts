import { type ClaimRow, claimOf } from '../../shared/rows.ts'
import type { Idempotency } from '../../store.ts'
import type { Connection } from '../connection/connection.ts'

export function idempotency(connection: Connection): Idempotency {
  return {
    claim(id, fingerprint, now, forgetBefore, lostBefore) {
      return connection.use(async (query) => {
        for (;;) {
          const claimed = await query(
            `INSERT INTO idempotency (id, fingerprint, claimed_at) VALUES ($1, $2, $3)
             ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, claimed_at = excluded.claimed_at, answer = NULL
             WHERE idempotency.claimed_at < $4 OR (idempotency.answer IS NULL AND idempotency.claimed_at < $5)
             RETURNING id`,
            [id, fingerprint, now, forgetBefore, lostBefore],
          )
          if (claimed.length === 1) return { state: 'claimed' }
          const [held] = await query<ClaimRow>('SELECT fingerprint, answer FROM idempotency WHERE id = $1', [id])
          // Gone between the two statements: its holder abandoned it, so it is to be had again.
          if (held !== undefined) return claimOf(held)
        }
      })
    },

    /** The first answer stays: a holder given up for lost that comes back late must not change what was answered. */
    async finish(id, answer) {
      await connection.query('UPDATE idempotency SET answer = $1 WHERE id = $2 AND answer IS NULL', [answer, id])
    },

    async abandon(id) {
      await connection.query('DELETE FROM idempotency WHERE id = $1 AND answer IS NULL', [id])
    },

    async deleteExpired(before) {
      await connection.query('DELETE FROM idempotency WHERE claimed_at < $1', [before])
    },
  }
}
