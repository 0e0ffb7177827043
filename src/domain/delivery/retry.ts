const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** What is waited after the first, second, … failed attempt; after the last there is no other. */
export const RETRY_DELAYS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]
export const MAX_ATTEMPTS = RETRY_DELAYS.length + 1

/** Spread by a fifth either way: what failed together must not come back together. */
const SPREAD = 0.2
const MOST_RETRY_AFTER = 24 * HOUR

/**
 * When to try again after so many attempts, the last of which ended `now`; null where it is given up. An endpoint that asks for
 * more time (`retryAfter`, as the header has it) gets it, up to a day.
 */
export function nextAttemptAt(
  attempts: number,
  now: number,
  random: () => number,
  retryAfter: string | null = null,
): number | null {
  const delay = RETRY_DELAYS[attempts - 1]
  if (delay === undefined) return null
  const asked = retryAfter === null ? 0 : (retryAfterMilliseconds(retryAfter, now) ?? 0)
  return now + Math.round(Math.max(delay * (1 - SPREAD + 2 * SPREAD * random()), asked))
}

const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Seconds or an HTTP date, as how long to wait from now; null where it is neither. */
export function retryAfterMilliseconds(header: string, now: number): number | null {
  const text = header.trim()
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND : HTTP_DATE.test(text) ? Date.parse(text) - now : Number.NaN
  return Number.isNaN(wait) ? null : Math.min(MOST_RETRY_AFTER, Math.max(0, wait))
}
