import { SEVERITIES, type Severity } from '../taxonomy.ts'

/** When the messages of a watch go out. A watch without one sends at once. */
export interface WatchSchedule {
  readonly digest: Digest | null
  readonly quietHours: QuietHours | null
}

export const DIGEST_INTERVALS = ['none', 'hourly', 'daily'] as const
export type DigestInterval = Exclude<(typeof DIGEST_INTERVALS)[number], 'none'>

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

export interface ScheduleChange {
  /** Undefined if it stays. */
  readonly digest?: Digest | null | undefined
  readonly quietHours?: QuietHours | null | undefined
}

/** Null if nothing of it is left. */
export function changedSchedule(before: WatchSchedule | null, change: ScheduleChange): WatchSchedule | null {
  const { digest = before?.digest ?? null, quietHours = before?.quietHours ?? null } = change
  return digest === null && quietHours === null ? null : { digest, quietHours }
}

export const MINUTES_OF_DAY = 24 * 60

/** Whether an incident is sent although others wait. */
export function breaks(severity: Severity, threshold: Severity | null): boolean {
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
