import { type Finding, failed, ok, skipped, warning } from '../finding.ts'

/** A clock to compare with, read between `before` and `after` by this machine's clock. */
export interface ClockReading {
  readonly of: 'database' | 'public address'
  readonly time: number
  readonly before: number
  readonly after: number
  /** How exactly it tells the time: a Date header leaves out what is less than a second. */
  readonly precisionMs: number
}

/** The service leaves such differences alone. */
const TOLERANCE_MS = 5_000
/** No clock can be right that is before this build was written. */
const BUILT_AT = Date.UTC(2026, 10, 1)

export function judgeClock(now: number, readings: readonly ClockReading[]): Finding[] {
  if (now < BUILT_AT)
    return [
      failed(`The clock says ${new Date(now).toISOString()}, which is in the past`, 'Start a time service (NTP).'),
    ]
  if (readings.length === 0)
    return [skipped('There is nothing to compare with: SQLite has no clock of its own, and no PUBLIC_URL answered')]
  return readings.map((reading) => {
    const ahead = secondsAhead(reading)
    const other = reading.of === 'database' ? 'the database' : 'PUBLIC_URL'
    if (Math.abs(ahead) * 1000 <= TOLERANCE_MS) return ok(`The clock agrees with that of ${other}`)
    const difference = `The clock is ${Math.abs(Math.round(ahead))} s ${ahead > 0 ? 'ahead of' : 'behind'} that of ${other}`
    return reading.of === 'database'
      ? warning(`${difference}, which the service uses instead`, 'Set both by a time service (NTP).')
      : warning(difference, 'Set both by a time service (NTP); with SQLite, the clock of the machine dates everything.')
  })
}

/** 0 as long as the time of the reading leaves it open who is ahead. */
function secondsAhead({ time, before, after, precisionMs }: ClockReading): number {
  if (before > time + precisionMs) return (before - time - precisionMs) / 1000
  return after < time ? (after - time) / 1000 : 0
}
