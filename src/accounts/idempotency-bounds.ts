import { BoundedCache } from '../lib/bounded-cache.ts'
import type { Idempotency, IdempotencyBounds } from '../store/store.ts'

const MEBIBYTE = 1 << 20

/** An account that makes 100 requests a minute without a pause can repeat those of 100 minutes. */
export const ACCOUNT_BOUNDS: IdempotencyBounds = { entries: 10_000, bytes: 32 * MEBIBYTE }
/** Without a key there are few requests to make: an account is opened a few times an hour. */
export const ADDRESS_BOUNDS: IdempotencyBounds = { entries: 1_000, bytes: MEBIBYTE }
/** For the whole database, in the end for its disk. */
const TOTAL_BOUNDS: IdempotencyBounds = { entries: 500_000, bytes: 1024 * MEBIBYTE }

/** Counting a subject's answers costs milliseconds, so it is done once for this many. */
const TRIM_EVERY: IdempotencyBounds = { entries: 100, bytes: MEBIBYTE }
const MAX_SUBJECTS = 10_000
const SUBJECTS_PER_ROUND = 20

/**
 * Deletes a subject's oldest answers above its bounds. Several nodes may exceed them by the answers
 * that each stores between two trims.
 */
export class AnswerTrimmer {
  readonly #sinceTrim = new BoundedCache<string, IdempotencyBounds>(MAX_SUBJECTS)

  async countAnswer(
    idempotency: Pick<Idempotency, 'trim'>,
    subject: string,
    bounds: IdempotencyBounds,
    bytes: number,
  ): Promise<void> {
    const before = this.#sinceTrim.get(subject) ?? { entries: 0, bytes: 0 }
    const held = { entries: before.entries + 1, bytes: before.bytes + bytes }
    const isDue = held.entries >= TRIM_EVERY.entries || held.bytes >= TRIM_EVERY.bytes
    this.#sinceTrim.set(subject, isDue ? { entries: 0, bytes: 0 } : held)
    if (isDue) await idempotency.trim(subject, bounds)
  }
}

/**
 * Halves the answers of the subjects that have the most until the total is within its bounds: many
 * accounts of one attacker lose theirs before anybody else's.
 */
export async function enforceTotalBounds(
  idempotency: Pick<Idempotency, 'usage' | 'trim'>,
  bounds = TOTAL_BOUNDS,
): Promise<void> {
  for (;;) {
    const { entries, bytes, largest } = await idempotency.usage(SUBJECTS_PER_ROUND)
    if (entries <= bounds.entries && bytes <= bounds.bytes) return
    let deleted = 0
    for (const each of largest)
      deleted += await idempotency.trim(each.subject, { entries: each.entries >> 1, bytes: Math.floor(each.bytes / 2) })
    // The rest are running claims, which end within seconds.
    if (deleted === 0) return
  }
}
