/** Reasons for which the service disables a watch, as sentences for its owner. */
export const DISABLED_REASONS = {
  gone: 'The endpoint answered that it is gone for good (410; from a push service also 404).',
  failing: 'Every attempt failed for five days.',
  unseen: 'The browser that it notifies has not opened a page of this service for 60 days.',
} as const
type DisabledReason = keyof typeof DISABLED_REASONS

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const DISABLE_AFTER_MS = 5 * DAY_MS
const DISABLE_AFTER_FAILURES = 5
/**
 * Failures closer together count as one: a watch with few messages must not be disabled for one
 * short outage. Five that count are therefore spread over at least 24 hours.
 */
const FAILURE_SPACING_MS = 6 * HOUR_MS

/** Warnings before a watch is disabled: each is due after this long and this many failures. */
const WARNINGS = [
  { afterMs: DAY_MS, failures: 3 },
  { afterMs: 4 * DAY_MS, failures: 4 },
] as const

/**
 * The failed attempts since the last success, or since the URL changed or the watch was resumed.
 */
export interface FailureHistory {
  /** The time of the first; null if there is none. */
  readonly failingSince: number | null
  /** Times of the last five days, at least six hours apart; oldest first. */
  readonly failures: readonly number[]
}

export const NO_FAILURES: FailureHistory = { failingSince: null, failures: [] }

interface AttemptEnd {
  readonly delivered: boolean
  readonly at: number
}

export function historyAfter(
  { failingSince, failures }: FailureHistory,
  { delivered, at }: AttemptEnd,
): FailureHistory {
  if (delivered) return NO_FAILURES
  // Later ones were noted before the clock was set back.
  const earlier = failures.filter((time) => time <= at)
  const last = earlier.at(-1)
  const counts = last === undefined || at - last >= FAILURE_SPACING_MS
  const recent = earlier.filter((time) => time > at - DISABLE_AFTER_MS)
  return { failingSince: Math.min(failingSince ?? at, at), failures: counts ? [...recent, at] : recent }
}

/** Decides after a failure; `gone` if the watch's current URL is. */
export function disabledReason(history: FailureHistory, gone: boolean, now: number): DisabledReason | null {
  if (gone) return 'gone'
  return hasFailedFor(history, DISABLE_AFTER_MS, DISABLE_AFTER_FAILURES, now) ? 'failing' : null
}

/** The number of warnings that the watch's owner should have been sent by now. */
export function warningsDue(history: FailureHistory, now: number): number {
  return WARNINGS.filter(({ afterMs, failures }) => hasFailedFor(history, afterMs, failures, now)).length
}

function hasFailedFor({ failingSince, failures }: FailureHistory, ms: number, count: number, now: number): boolean {
  if (failingSince === null || now - failingSince < ms) return false
  return failures.filter((time) => time > now - DISABLE_AFTER_MS).length >= count
}
