import { type ClaimRow, claimOf } from '../../shared/rows.ts'
import type { Idempotency } from '../../store.ts'
import type { PostgresConnection } from '../connection/connection.ts'

export function idempotency(connection: PostgresConnection): Idempotency {
  return {
    claim(id, fingerprint, now, expiredBefore, lostBefore) {
      return connection.withConnection(async (query) => {
        for (;;) {
          const claimed = await query(
            `INSERT INTO idempotency (id, fingerprint, claimed_at) VALUES ($1, $2, $3)
             ON CONFLICT (id) DO UPDATE SET fingerprint = excluded.fingerprint, claimed_at = excluded.claimed_at, answer = NULL
             WHERE idempotency.claimed_at < $4 OR (idempotency.answer IS NULL AND idempotency.claimed_at < $5)
             RETURNING id`,
            [id, fingerprint, now, expiredBefore, lostBefore],
          )
          if (claimed.length === 1) return { state: 'claimed' }
          const [held] = await query<ClaimRow>('SELECT fingerprint, answer FROM idempotency WHERE id = $1', [id])
          // Undefined if the holder abandoned it between the two statements: claim it again.
          if (held !== undefined) return claimOf(held)
        }
      })
    },

    /** Keeps the first answer: a holder that was taken for dead must not replace it later. */
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
