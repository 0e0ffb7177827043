import { ZONE_OFFSETS } from '../../lib/time/calendar.ts'
import type { Severity } from '../taxonomy.ts'
import { breaks, type Digest, MINUTES_OF_DAY, type QuietHours, type WatchSchedule } from './schedule.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
/** Nigeria has no daylight saving time. */
const LAGOS = ZONE_OFFSETS['Africa/Lagos']

/**
 * Returns when a delivery may be sent, `now` at the earliest. Depends on nothing but the schedule
 * and the delivery, so every process at every attempt comes to the same answer: nothing needs to be
 * remembered for a retry, a restart or a watch that was paused.
 */
export function releaseAt(
  { digest, quietHours }: WatchSchedule,
  { severity, createdAt }: { readonly severity: Severity; readonly createdAt: number },
  now: number,
): number {
  const collected =
    digest === null || breaks(severity, digest.breakSeverity) ? createdAt : digestAfter(digest, createdAt)
  const at = Math.max(collected, now)
  if (quietHours === null || breaks(severity, quietHours.breakSeverity)) return at
  return endOfQuiet(quietHours, at)
}

/** The first digest after the time. */
export function digestAfter({ every, hour }: Digest, time: number): number {
  const step = every === 'hourly' ? HOUR_MS : DAY_MS
  const offset = every === 'hourly' ? 0 : hour * HOUR_MS
  const local = time + LAGOS - offset
  return (Math.floor(local / step) + 1) * step + offset - LAGOS
}

/** The end of the quiet hours that the time lies in; the time itself if it lies in none. */
function endOfQuiet({ from, until }: QuietHours, time: number): number {
  const local = time + LAGOS
  const midnight = Math.floor(local / DAY_MS) * DAY_MS
  const sinceStart = (local - midnight) / MINUTE_MS - from
  const intoQuiet = sinceStart < 0 ? sinceStart + MINUTES_OF_DAY : sinceStart
  const length = (until - from + MINUTES_OF_DAY) % MINUTES_OF_DAY
  return intoQuiet < length ? time + Math.ceil((length - intoQuiet) * MINUTE_MS) : time
}

/** Whether a daily digest would fall into the quiet hours, which would then move it. */
export function digestIsQuiet({ digest, quietHours }: WatchSchedule): boolean {
  if (digest === null || quietHours === null || digest.every !== 'daily') return false
  const at = digest.hour * HOUR_MS - LAGOS
  return endOfQuiet(quietHours, at) !== at
}
