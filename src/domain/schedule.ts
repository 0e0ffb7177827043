import { ZONE_OFFSETS } from '../lib/calendar.ts'
import { SEVERITIES, type Severity } from './taxonomy.ts'

/** The times at which messages of a watch go out. A watch without one sends at once. */
export interface WatchSchedule {
  readonly digest: Digest | null
  readonly quietHours: QuietHours | null
}

export const DIGEST_INTERVALS = ['none', 'hourly', 'daily'] as const
type DigestInterval = Exclude<(typeof DIGEST_INTERVALS)[number], 'none'>

/** Messages wait, and go out together. */
export interface Digest {
  readonly every: DigestInterval
  /** Of a daily digest: the hour in Lagos, 0 to 23. */
  readonly hour: number
  /** This or worse is sent at once; null if nothing is. */
  readonly breakSeverity: Severity | null
}

/** Messages wait for the end. May go over midnight. Minutes of the day in Lagos. */
export interface QuietHours {
  readonly from: number
  readonly until: number
  /** This or worse is sent all the same; null if nothing is. */
  readonly breakSeverity: Severity | null
}

interface ScheduleChange {
  /** Undefined if it stays. */
  readonly digest?: Digest | null | undefined
  readonly quietHours?: QuietHours | null | undefined
}

/** Null if nothing of it is left. */
export function changedSchedule(before: WatchSchedule | null, change: ScheduleChange): WatchSchedule | null {
  const { digest = before?.digest ?? null, quietHours = before?.quietHours ?? null } = change
  return digest === null && quietHours === null ? null : { digest, quietHours }
}

const MINUTES_OF_DAY = 24 * 60

/** Whether an incident is sent although others wait. */
function breaks(severity: Severity, threshold: Severity | null): boolean {
  return threshold !== null && SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(threshold)
}

export function worstOf(severities: readonly Severity[]): Severity {
  return SEVERITIES[Math.max(0, ...severities.map((each) => SEVERITIES.indexOf(each)))]!
}

/** Reads `22:30` as minutes of the day; null if it is no such time. */
export function minutesOf(text: string): number | null {
  const found = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  return found === null ? null : Number(found[1]) * 60 + Number(found[2])
}

export function minutesText(minutes: number): string {
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

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
    digest === null || breaks(severity, digest.breakSeverity)
      ? createdAt
      : digestAfter(digest, Math.min(createdAt, now))
  const at = Math.max(collected, now)
  if (quietHours === null || breaks(severity, quietHours.breakSeverity)) return at
  return endOfQuiet(quietHours, at)
}

/** The first digest after the time. */
function digestAfter({ every, hour }: Digest, time: number): number {
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
