const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
export type DurationUnit = keyof typeof UNITS

/** A duration as written: a cursor is bound to one spelling, though `24h` equals `1d`. */
export interface Duration {
  readonly count: number
  readonly unit: DurationUnit
}

export function parseDuration(text: string): Duration | null {
  const match = /^([1-9]\d{0,7})([mhdw])$/.exec(text)
  return match ? { count: Number(match[1]), unit: match[2] as DurationUnit } : null
}

export function durationText(duration: Duration): string {
  return `${duration.count}${duration.unit}`
}

export function durationMs(duration: Duration): number {
  return duration.count * UNITS[duration.unit]
}

// Accepts a space for the + of `+01:00`: query strings decode + to a space.
const TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+\- ]\d{2}:\d{2}))?$/

/** Parses an RFC 3339 time, or a date (midnight UTC); null if it is neither or does not exist. */
export function parseTime(text: string): number | null {
  const match = TIME.exec(text)
  if (!match) return null
  const [, year, month, day, hour, minute, second] = match
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > lastDay) return null
  if (Number(hour ?? 0) > 23 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return null
  const iso = hour === undefined ? `${text}T00:00:00Z` : text.replace(/ (\d{2}:\d{2})$/, '+$1').replace(' ', 'T')
  const time = Date.parse(iso.toUpperCase())
  return Number.isNaN(time) ? null : time
}

/** UTC, to the second: milliseconds would be false precision, and make incidents longer. */
export function timeText(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`
}

/** Something kept that depends on the time. */
export interface Timed {
  /** The time that it was made for. */
  readonly madeAt: number
  /** It is the same until then. */
  readonly validUntil: number
}

/** False also if it was made for a later time: the clock was set back since. */
export function isCurrent({ madeAt, validUntil }: Timed, now: number): boolean {
  return madeAt <= now && now < validUntil
}
