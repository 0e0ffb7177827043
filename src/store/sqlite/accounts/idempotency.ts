import { addCount, countsOf } from '../../shared/attached-records.ts'
import { type ClaimRow, claimOf } from '../../shared/rows/idempotency-rows.ts'
import {
  type ClaimHolder,
  ClaimLost,
  type ClaimRequest,
  type ClaimTimes,
  type IdempotencyBounds,
  type IdempotencyClaim,
  type IdempotencyUsage,
  type Receipt,
} from '../../store.ts'
import type { Database } from '../connection/database.ts'

export function idempotency(database: Database) {
  return {
    claim(request: ClaimRequest, times: ClaimTimes): IdempotencyClaim {
      return database.transaction(() => {
        // An heir goes on counting where a lost holder of the same request stopped.
        const claimed = database.get<{ counts: string | null }>(
          `INSERT INTO idempotency (id, subject, fingerprint, rights, token, claimed_at)
           VALUES (:id, :subject, :fingerprint, :rights, :token, :now)
           ON CONFLICT (id) DO UPDATE
           SET fingerprint = excluded.fingerprint, rights = excluded.rights, token = excluded.token,
               claimed_at = excluded.claimed_at, answer = NULL, bytes = 0, mentions = NULL, redacted = 0,
               counts = CASE WHEN answer IS NULL AND fingerprint = excluded.fingerprint THEN counts END
           WHERE claimed_at < :expiredBefore
              OR (answer IS NULL AND (token = '' OR claimed_at < :lostBefore OR claimed_at > :lostAfter))
           RETURNING counts`,
          { ...request, ...times },
        )
        if (claimed !== undefined) return { state: 'claimed', counts: countsOf(claimed.counts) }
        return claimOf(
          database.get<ClaimRow>('SELECT fingerprint, rights, answer, redacted FROM idempotency WHERE id = ?', [
            request.id,
          ])!,
        )
      })
    },

    finish(holder: ClaimHolder, answer: Uint8Array, mentions?: string): boolean {
      return finishClaim(database, holder, answer, mentions)
    },

    abandon({ id, token }: ClaimHolder): void {
      database.transaction(() => {
        database.run('DELETE FROM idempotency WHERE id = ? AND token = ? AND answer IS NULL AND counts IS NULL', [
          id,
          token,
        ])
        database.run(`UPDATE idempotency SET token = '' WHERE id = ? AND token = ? AND answer IS NULL`, [id, token])
      })
    },

    trim(subject: string, { entries, bytes }: IdempotencyBounds): number {
      return database.run(
        `DELETE FROM idempotency WHERE id IN (
           SELECT id FROM (
             SELECT id, bytes, row_number() OVER newest AS place, sum(bytes) OVER newest AS held
             FROM idempotency WHERE subject = :subject
             WINDOW newest AS (ORDER BY claimed_at DESC, id)
           )
           WHERE bytes > 0 AND (place > :entries OR held > :bytes)
         )`,
        { subject, entries, bytes },
      )
    },

    usage(largest: number): IdempotencyUsage {
      const all = database.get<IdempotencyBounds>(
        'SELECT count(*) AS entries, coalesce(sum(bytes), 0) AS bytes FROM idempotency',
      )!
      const subjects = database.all<IdempotencyBounds & { subject: string }>(
        `SELECT subject, count(*) AS entries, sum(bytes) AS bytes FROM idempotency
         GROUP BY subject
         ORDER BY sum(bytes) DESC, subject
         LIMIT +?`,
        [largest],
      )
      return { ...all, largest: subjects.map((each) => ({ ...each })) }
    },

    deleteExpired(before: number, limit: number): number {
      return database.run(
        `DELETE FROM idempotency
         WHERE id IN (SELECT id FROM idempotency WHERE claimed_at < ? ORDER BY claimed_at LIMIT +?)`,
        [before, limit],
      )
    },
  }
}

/** Runs within the transaction of the write. Throws `ClaimLost`, so that nothing is written. */
export function storeReceipt(database: Database, receipt: Receipt, result: unknown): void {
  const { id, token } = receipt
  if ('answer' in receipt) {
    if (!finishClaim(database, receipt, receipt.answer, receipt.mentions)) throw new ClaimLost()
    return
  }
  const held = database.get<{ counts: string | null }>(
    'SELECT counts FROM idempotency WHERE id = ? AND token = ? AND answer IS NULL',
    [id, token],
  )
  if (held === undefined) throw new ClaimLost()
  // The later time keeps the claim from being taken for lost while its request goes on.
  database.run('UPDATE idempotency SET counts = ?, claimed_at = max(claimed_at, ?) WHERE id = ?', [
    addCount(held.counts, receipt.count, result),
    receipt.now,
    id,
  ])
}

function finishClaim(
  database: Database,
  { id, token }: ClaimHolder,
  answer: Uint8Array,
  mentions: string | undefined,
): boolean {
  const finished = database.run(
    'UPDATE idempotency SET answer = ?, bytes = ?, mentions = ? WHERE id = ? AND token = ? AND answer IS NULL',
    [answer, answer.byteLength, mentions ?? null, id, token],
  )
  return finished === 1
}
