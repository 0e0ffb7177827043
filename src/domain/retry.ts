import type { SendResult } from './delivery.ts'

type StatusAction = 'delivered' | 'retry' | 'retry_when_asked' | 'gone'

/** Actions by the status of the response; the first matching row applies. */
const STATUS_ACTIONS: readonly { readonly from: number; readonly to: number; readonly action: StatusAction }[] = [
  { from: 200, to: 299, action: 'delivered' },
  { from: 410, to: 410, action: 'gone' },
  { from: 429, to: 429, action: 'retry_when_asked' },
  { from: 503, to: 503, action: 'retry_when_asked' },
  // Redirects are not followed: that would send a signed message to a URL the owner did not choose.
  { from: 100, to: 999, action: 'retry' },
]

export type Verdict =
  | { readonly outcome: 'delivered' }
  | { readonly outcome: 'retry'; readonly at: number }
  /** No attempt is left. */
  | { readonly outcome: 'exhausted' }
  /** The endpoint is gone for good: the watch is disabled; `at` counts once it is resumed. */
  | { readonly outcome: 'gone'; readonly at: number | null }

/** Decides on a delivery after an attempt; `attempts` includes this one. */
export function verdictOn(result: SendResult, attempts: number, now: number, random: () => number): Verdict {
  // Any failure without a response may be temporary, even a wrong certificate.
  const action = result.kind === 'failed' ? 'retry' : result.gone ? 'gone' : actionFor(result.status)
  if (action === 'delivered') return { outcome: 'delivered' }
  const retryAfter = result.kind === 'answered' && action === 'retry_when_asked' ? result.retryAfter : null
  const at = nextAttemptAt(attempts, now, random, retryAfter)
  if (action === 'gone') return { outcome: 'gone', at }
  return at === null ? { outcome: 'exhausted' } : { outcome: 'retry', at }
}

function actionFor(status: number): StatusAction {
  return STATUS_ACTIONS.find(({ from, to }) => status >= from && status <= to)?.action ?? 'retry'
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Milliseconds after the first, second, … failed attempt; after the last there is no retry. */
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

/** Varies delays by ±20 %, so that deliveries that failed together do not retry together. */
const JITTER = 0.2
const MAX_RETRY_AFTER_MS = 24 * HOUR

/**
 * Returns the time of the next attempt after `attempts` attempts, the last of which ended `now`;
 * null if there is none. `Retry-After` may lengthen the delay, up to 24 h.
 */
export function nextAttemptAt(
  attempts: number,
  now: number,
  random: () => number,
  retryAfter: string | null = null,
): number | null {
  const delay = RETRY_DELAYS[attempts - 1]
  if (delay === undefined) return null
  const requested = retryAfter === null ? 0 : (retryAfterMilliseconds(retryAfter, now) ?? 0)
  return now + Math.round(Math.max(delay * (1 - JITTER + 2 * JITTER * random()), requested))
}

const HTTP_DATE = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** Parses seconds or an HTTP date into a delay from `now`; null if it is neither. */
export function retryAfterMilliseconds(header: string, now: number): number | null {
  const text = header.trim()
  const wait = /^\d+$/.test(text) ? Number(text) * SECOND : HTTP_DATE.test(text) ? Date.parse(text) - now : Number.NaN
  return Number.isNaN(wait) ? null : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, wait))
}
