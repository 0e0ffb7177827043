/** A head further in the future than this was written by a wrong clock. */
export const MAX_AHEAD_MS = 86_400_000
/** A clock that says less has lost its battery: it is no reason to go back. */
export const EARLIEST_TIME = Date.UTC(2026, 0, 1)

/**
 * The time of the next event. Times never decrease, even if the clock is set back; except to leave
 * a time more than a day in the future, which would otherwise be the time of every event until
 * then.
 */
export function nextEventTime(headAt: number, now: number): number {
  const headIsWrong = headAt - now > MAX_AHEAD_MS && now >= EARLIEST_TIME
  return headIsWrong ? now : Math.max(headAt, now)
}
