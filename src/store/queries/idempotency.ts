import {
  type ClaimHolder,
  ClaimLost,
  type Idempotency,
  type IdempotencyBounds,
  type IdempotencyClaim,
  type NewAuditEntry,
  type Receipt,
} from '../store.ts'
import { storeAuditEntry } from './audit.ts'
import { amongRows, FOR_UPDATE, FOR_UPDATE_SKIP_LOCKED, GREATEST, plain } from './dialect.ts'
import { begin, first, type QueriesOf, type Query, rows, run, sql } from './query.ts'

export const idempotency = {
  *claim({ id, subject, fingerprint, rights, token }, { now, expiredBefore, lostBefore, lostAfter }) {
    for (;;) {
      // An heir goes on counting where a lost holder of the same request stopped.
      const claimed = yield* first<{ counts: string | null }>(
        sql`INSERT INTO idempotency (id, subject, fingerprint, rights, token, claimed_at)
            VALUES (${id}, ${subject}, ${fingerprint}, ${rights}, ${token}, ${now})
            ON CONFLICT (id) DO UPDATE
            SET fingerprint = excluded.fingerprint, rights = excluded.rights, token = excluded.token,
                claimed_at = excluded.claimed_at, answer = NULL, bytes = 0, mentions = NULL, redacted = false,
                counts = CASE WHEN idempotency.answer IS NULL AND idempotency.fingerprint = excluded.fingerprint
                              THEN idempotency.counts END
            WHERE idempotency.claimed_at < ${expiredBefore}
               OR (idempotency.answer IS NULL
                   AND (idempotency.token = '' OR idempotency.claimed_at < ${lostBefore}
                        OR idempotency.claimed_at > ${lostAfter}))
            RETURNING counts`,
      )
      if (claimed !== undefined) return { state: 'claimed', counts: countsOf(claimed.counts) }
      const held = yield* first<ClaimRow>(
        sql`SELECT fingerprint, rights, answer, redacted FROM idempotency WHERE id = ${id}`,
      )
      // Undefined if the holder abandoned it between the two statements: claim it again.
      if (held !== undefined) return claimOf(held)
    }
  },

  finish: (holder, answer, mentions) => finishClaim(holder, answer, mentions),

  *abandon({ id, token }) {
    yield* begin()
    yield* run(sql`DELETE FROM idempotency WHERE id = ${id} AND token = ${token} AND answer IS NULL AND counts IS NULL`)
    yield* run(sql`UPDATE idempotency SET token = '' WHERE id = ${id} AND token = ${token} AND answer IS NULL`)
  },

  *trim(subject, { entries, bytes }) {
    return yield* run(
      sql`DELETE FROM idempotency WHERE id ${amongRows(
        sql`SELECT id FROM (
              SELECT id, bytes, row_number() OVER newest AS place, sum(bytes) OVER newest AS held
              FROM idempotency WHERE subject = ${subject}
              WINDOW newest AS (ORDER BY claimed_at DESC, id)
            ) AS listed
            WHERE bytes > 0 AND (place > ${entries} OR held > ${bytes})`,
      )}`,
    )
  },

  *usage(largest) {
    const all = yield* first<IdempotencyBounds>(
      sql`SELECT count(*) AS entries, CAST(coalesce(sum(bytes), 0) AS bigint) AS bytes FROM idempotency`,
    )
    const subjects = yield* rows<IdempotencyBounds & { subject: string }>(
      sql`SELECT subject, count(*) AS entries, CAST(sum(bytes) AS bigint) AS bytes FROM idempotency
          GROUP BY subject
          ORDER BY sum(bytes) DESC, subject
          LIMIT ${plain(largest)}`,
    )
    return { ...all!, largest: subjects }
  },

  *deleteExpired(before, limit) {
    return yield* run(
      sql`DELETE FROM idempotency WHERE id ${amongRows(
        sql`SELECT id FROM idempotency WHERE claimed_at < ${before}
            ORDER BY claimed_at LIMIT ${plain(limit)} ${FOR_UPDATE_SKIP_LOCKED}`,
      )}`,
    )
  },
} satisfies QueriesOf<Idempotency>

interface ClaimRow {
  readonly fingerprint: string
  readonly rights: string | null
  readonly answer: Uint8Array | null
  /** 0 or 1 in SQLite. */
  readonly redacted: boolean | number
}

function claimOf({ fingerprint, rights, answer, redacted }: ClaimRow): IdempotencyClaim {
  if (redacted) return { state: 'redacted', fingerprint, rights }
  return answer === null
    ? { state: 'running', fingerprint, rights }
    : { state: 'finished', fingerprint, rights, answer: new Uint8Array(answer) }
}

/** Records that are committed together with a write. */
export interface AttachedRecords {
  readonly receipt?: Receipt
  readonly auditEntry?: NewAuditEntry
}

/**
 * Stores the records, unless the write has refused and stored nothing: every write says so with
 * null, false or a word, and reports success with undefined, true, a number or an object. True if a
 * receipt was stored.
 */
export function* storeAttached({ receipt, auditEntry }: AttachedRecords, result: unknown): Query<boolean> {
  if (result === null || result === false || typeof result === 'string') return false
  if (auditEntry !== undefined) yield* storeAuditEntry(auditEntry)
  if (receipt === undefined) return false
  yield* storeReceipt(receipt, result)
  return true
}

/** Runs within the transaction of the write. Throws `ClaimLost`, so that nothing is written. */
function* storeReceipt(receipt: Receipt, result: unknown): Query<void> {
  const { id, token } = receipt
  if ('answer' in receipt) {
    if (!(yield* finishClaim(receipt, receipt.answer, receipt.mentions))) throw new ClaimLost()
    return
  }
  const held = yield* first<{ counts: string | null }>(
    sql`SELECT counts FROM idempotency WHERE id = ${id} AND token = ${token} AND answer IS NULL ${FOR_UPDATE}`,
  )
  if (held === undefined) throw new ClaimLost()
  if (typeof result !== 'number') throw new TypeError('only a write that returns a number can be counted')
  const counts = countsOf(held.counts)
  const counted = JSON.stringify({ ...counts, [receipt.count]: (counts[receipt.count] ?? 0) + result })
  // The later time keeps the claim from being taken for lost while its request goes on.
  yield* run(
    sql`UPDATE idempotency SET counts = ${counted}, claimed_at = ${GREATEST}(claimed_at, ${receipt.now})
        WHERE id = ${id}`,
  )
}

function* finishClaim({ id, token }: ClaimHolder, answer: Uint8Array, mentions: string | undefined): Query<boolean> {
  const finished = yield* run(
    sql`UPDATE idempotency SET answer = ${answer}, bytes = ${answer.byteLength}, mentions = ${mentions ?? null}
        WHERE id = ${id} AND token = ${token} AND answer IS NULL`,
  )
  return finished === 1
}

function countsOf(counts: string | null): Record<string, number> {
  return counts === null ? {} : (JSON.parse(counts) as Record<string, number>)
}
