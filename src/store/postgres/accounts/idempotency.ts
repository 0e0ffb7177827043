import { addCount, countsOf } from '../../shared/attached-records.ts'
import { type ClaimRow, claimOf } from '../../shared/rows/idempotency-rows.ts'
import { type ClaimHolder, ClaimLost, type Idempotency, type IdempotencyBounds, type Receipt } from '../../store.ts'
import type { PostgresConnection, Query } from '../connection/connection.ts'

export function idempotency(connection: PostgresConnection): Idempotency {
  return {
    claim({ id, subject, fingerprint, rights, token }, { now, expiredBefore, lostBefore, lostAfter }) {
      return connection.withConnection(async (query) => {
        for (;;) {
          // An heir goes on counting where a lost holder of the same request stopped.
          const [claimed] = await query<{ counts: string | null }>(
            `INSERT INTO idempotency (id, subject, fingerprint, rights, token, claimed_at) VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (id) DO UPDATE
             SET fingerprint = excluded.fingerprint, rights = excluded.rights, token = excluded.token,
                 claimed_at = excluded.claimed_at, answer = NULL, bytes = 0, mentions = NULL, redacted = false,
                 counts = CASE WHEN idempotency.answer IS NULL AND idempotency.fingerprint = excluded.fingerprint
                               THEN idempotency.counts END
             WHERE idempotency.claimed_at < $7
                OR (idempotency.answer IS NULL
                    AND (idempotency.token = '' OR idempotency.claimed_at < $8 OR idempotency.claimed_at > $9))
             RETURNING counts`,
            [id, subject, fingerprint, rights, token, now, expiredBefore, lostBefore, lostAfter],
          )
          if (claimed !== undefined) return { state: 'claimed', counts: countsOf(claimed.counts) }
          const [held] = await query<ClaimRow>(
            'SELECT fingerprint, rights, answer, redacted FROM idempotency WHERE id = $1',
            [id],
          )
          // Undefined if the holder abandoned it between the two statements: claim it again.
          if (held !== undefined) return claimOf(held)
        }
      })
    },

    finish: (holder, answer, mentions) => finishClaim(connection.query, holder, answer, mentions),

    abandon({ id, token }) {
      return connection.transaction(async (query) => {
        await query('DELETE FROM idempotency WHERE id = $1 AND token = $2 AND answer IS NULL AND counts IS NULL', [
          id,
          token,
        ])
        await query(`UPDATE idempotency SET token = '' WHERE id = $1 AND token = $2 AND answer IS NULL`, [id, token])
      })
    },

    async trim(subject, { entries, bytes }) {
      const deleted = await connection.query(
        `DELETE FROM idempotency WHERE id = ANY (ARRAY(
           SELECT id FROM (
             SELECT id, bytes, row_number() OVER newest AS place, sum(bytes) OVER newest AS held
             FROM idempotency WHERE subject = $1
             WINDOW newest AS (ORDER BY claimed_at DESC, id)
           ) AS listed
           WHERE bytes > 0 AND (place > $2 OR held > $3)
         ))
         RETURNING id`,
        [subject, entries, bytes],
      )
      return deleted.length
    },

    async usage(largest) {
      const [all] = await connection.query<IdempotencyBounds>(
        'SELECT count(*) AS entries, coalesce(sum(bytes), 0)::bigint AS bytes FROM idempotency',
      )
      const subjects = await connection.query<IdempotencyBounds & { subject: string }>(
        `SELECT subject, count(*) AS entries, sum(bytes)::bigint AS bytes FROM idempotency
         GROUP BY subject
         ORDER BY sum(bytes) DESC, subject
         LIMIT $1`,
        [largest],
      )
      return { ...all!, largest: subjects }
    },

    async deleteExpired(before, limit) {
      const deleted = await connection.query(
        `DELETE FROM idempotency WHERE id = ANY (ARRAY(
           SELECT id FROM idempotency WHERE claimed_at < $1
           ORDER BY claimed_at
           LIMIT $2
           FOR UPDATE SKIP LOCKED
         ))
         RETURNING id`,
        [before, limit],
      )
      return deleted.length
    },
  }
}

/** Runs within the transaction of the write. Throws `ClaimLost`, so that nothing is written. */
export async function storeReceipt(query: Query, receipt: Receipt, result: unknown): Promise<void> {
  const { id, token } = receipt
  if ('answer' in receipt) {
    if (!(await finishClaim(query, receipt, receipt.answer, receipt.mentions))) throw new ClaimLost()
    return
  }
  const [held] = await query<{ counts: string | null }>(
    'SELECT counts FROM idempotency WHERE id = $1 AND token = $2 AND answer IS NULL FOR UPDATE',
    [id, token],
  )
  if (held === undefined) throw new ClaimLost()
  // The later time keeps the claim from being taken for lost while its request goes on.
  await query('UPDATE idempotency SET counts = $1, claimed_at = greatest(claimed_at, $2) WHERE id = $3', [
    addCount(held.counts, receipt.count, result),
    receipt.now,
    id,
  ])
}

async function finishClaim(
  query: Query,
  { id, token }: ClaimHolder,
  answer: Uint8Array,
  mentions: string | undefined,
): Promise<boolean> {
  const finished = await query(
    `UPDATE idempotency SET answer = $1, bytes = $2, mentions = $3
     WHERE id = $4 AND token = $5 AND answer IS NULL
     RETURNING id`,
    [answer, answer.byteLength, mentions ?? null, id, token],
  )
  return finished.length === 1
}
