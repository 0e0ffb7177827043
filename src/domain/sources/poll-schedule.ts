import type { PollProblemCode } from './poll-problem.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
/** Each failure doubles the interval, up to a day. */
const MAX_DOUBLINGS = 10
/** Spreads the polls of sources that were added together. */
const JITTER = 0.1
/** A feed that says it is gone is asked once a day. */
const SLOW_PROBLEMS: readonly PollProblemCode[] = ['gone']
/** Items are left over: the feed is read again soon. */
const LEFT_OVER_MS = MINUTE_MS

export interface PollResult {
  /** Failed polls in a row, this one included; 0 after a success. */
  readonly failures: number
  readonly problem: PollProblemCode | null
  /** Milliseconds that the server asked to wait; null if it did not. */
  readonly retryAfterMs: number | null
  readonly hasLeftOver: boolean
}

/** When to poll next: at the interval, later after failures, never sooner than the server asked. */
export function nextPollAt(result: PollResult, everyMinutes: number, now: number, random: () => number): number {
  const { failures, problem, retryAfterMs, hasLeftOver } = result
  const spread = 1 - JITTER + 2 * JITTER * random()
  if (failures === 0) return Math.round(now + (hasLeftOver ? LEFT_OVER_MS : everyMinutes * MINUTE_MS * spread))
  const doubled = everyMinutes * MINUTE_MS * 2 ** Math.min(failures - 1, MAX_DOUBLINGS)
  const delay = problem !== null && SLOW_PROBLEMS.includes(problem) ? DAY_MS : Math.min(DAY_MS, doubled)
  const asked = Math.min(DAY_MS, retryAfterMs ?? 0)
  return Math.round(now + Math.max(delay * spread, asked))
}
