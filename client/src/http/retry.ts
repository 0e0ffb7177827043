/** The longest wait that `Retry-After` may ask for; beyond it, the error is thrown at once. */
export const MAX_RETRY_AFTER_SECONDS = 60
const FIRST_DELAY_MS = 500
const MAX_DELAY_MS = 8_000

/** The end of an attempt: a status, or null if no answer came. */
export interface FailedAttempt {
  readonly status: number | null
  readonly code: string | null
  readonly retryAfterSeconds: number | null
}

/**
 * Returns the milliseconds until the next attempt, or null to give up. `attempts` counts those
 * made. A request that is not `repeatable` is sent again only if it certainly had no effect.
 */
export function delayBeforeRetry(
  { status, code, retryAfterSeconds }: FailedAttempt,
  attempts: number,
  repeatable: boolean,
  random: () => number,
): number | null {
  const hadNoEffect = status === 429 || code === 'starting'
  if (!hadNoEffect && !(repeatable && isTemporary(status, code))) return null
  const backOff = backOffMs(attempts, FIRST_DELAY_MS, MAX_DELAY_MS, random)
  if (retryAfterSeconds === null) return backOff
  // Jitter after the wait, not before: an early attempt would be refused again.
  return retryAfterSeconds > MAX_RETRY_AFTER_SECONDS ? null : retryAfterSeconds * 1000 + random() * FIRST_DELAY_MS
}

/** Doubles from attempt to attempt up to `most`; between half and the whole of it, by chance. */
export function backOffMs(attempts: number, first: number, most: number, random: () => number): number {
  return Math.min(most, first * 2 ** (attempts - 1)) * (0.5 + 0.5 * random())
}

/** `Retry-After` is a count of seconds or a date; null if it is neither. */
export function retryAfterSeconds(header: string | null, now: number): number | null {
  if (header === null) return null
  if (/^\d+$/.test(header.trim())) return Number(header)
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, Math.ceil((date - now) / 1000))
}

/** A key that is in use belongs to an attempt of ours that the service is still working on. */
function isTemporary(status: number | null, code: string | null): boolean {
  return status === null || status === 408 || status >= 500 || code === 'idempotency_key_in_use'
}
