import { runToEnd, type Steps } from './steps.ts'
import { timeText } from './time.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** 1970 began on a Thursday, three days after a Monday. */
const DAYS_SINCE_MONDAY = 3

/**
 * The offset of each time zone from UTC. Nigeria has had UTC+1 without summer time since 1919, so
 * an offset is enough; a zone with summer time would need a table of its changes.
 */
export const ZONE_OFFSETS = { UTC: 0, 'Africa/Lagos': HOUR } as const
export type TimeZone = keyof typeof ZONE_OFFSETS
export const TIME_ZONES = Object.keys(ZONE_OFFSETS) as readonly TimeZone[]

export const CALENDAR_UNITS = ['hour', 'day', 'week', 'month', 'year'] as const
export type CalendarUnit = (typeof CALENDAR_UNITS)[number]

interface Calendar {
  /** Consecutive, without gaps. */
  numberOf(time: number): number
  startOf(number: number): number
  /** In ISO 8601. */
  name(start: number): string
}

const CALENDARS: Readonly<Record<CalendarUnit, Calendar>> = {
  hour: {
    numberOf: (time) => Math.floor(time / HOUR),
    startOf: (number) => number * HOUR,
    name: (start) => timeText(start).slice(0, 13),
  },
  day: {
    numberOf: (time) => Math.floor(time / DAY),
    startOf: (number) => number * DAY,
    name: (start) => timeText(start).slice(0, 10),
  },
  week: {
    numberOf: (time) => Math.floor((Math.floor(time / DAY) + DAYS_SINCE_MONDAY) / 7),
    startOf: (number) => (number * 7 - DAYS_SINCE_MONDAY) * DAY,
    name: isoWeek,
  },
  month: {
    numberOf: (time) => monthOf(time),
    startOf: (number) => monthStart(number),
    name: (start) => timeText(start).slice(0, 7),
  },
  year: {
    numberOf: (time) => new Date(time).getUTCFullYear(),
    startOf: (number) => monthStart(number * 12),
    name: (start) => timeText(start).slice(0, 4),
  },
}

/** An hour, day, week (from Monday), month or year of a time zone; `end` is exclusive. */
export interface Period {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Counts the periods that contain a moment from `from` up to and including `to`. */
export function countPeriods(unit: CalendarUnit, from: number, to: number, zone: TimeZone = 'UTC'): number {
  const { numberOf } = CALENDARS[unit]
  const offset = ZONE_OFFSETS[zone]
  return Math.max(0, numberOf(to + offset) - numberOf(from + offset) + 1)
}

/** Returns the first moment of the period that contains `time`, or of the one `steps` later. */
export function startOfPeriod(unit: CalendarUnit, time: number, zone: TimeZone = 'UTC', steps = 0): number {
  const { numberOf, startOf } = CALENDARS[unit]
  const offset = ZONE_OFFSETS[zone]
  return startOf(numberOf(time + offset) + steps) - offset
}

/** Writing a time takes some microseconds, and there may be 25,000 periods. */
const PERIODS_PER_STEP = 100

/** Lists the periods that `countPeriods` counts. */
export function periodsBetween(unit: CalendarUnit, from: number, to: number, zone: TimeZone = 'UTC'): Period[] {
  return runToEnd(listPeriods(unit, from, to, zone))
}

export function* listPeriods(unit: CalendarUnit, from: number, to: number, zone: TimeZone = 'UTC'): Steps<Period[]> {
  const { numberOf, startOf, name } = CALENDARS[unit]
  const offset = ZONE_OFFSETS[zone]
  const first = numberOf(from + offset)
  const count = countPeriods(unit, from, to, zone)
  const periods: Period[] = []
  while (periods.length < count) {
    const start = startOf(first + periods.length)
    const end = startOf(first + periods.length + 1)
    periods.push({ name: name(start), start: start - offset, end: end - offset })
    if (periods.length % PERIODS_PER_STEP === 0) yield
  }
  return periods
}

/** A week belongs to the year that its Thursday is in. */
function isoWeek(monday: number): string {
  const thursday = monday + 3 * DAY
  const year = new Date(thursday).getUTCFullYear()
  const week = Math.floor((thursday - monthStart(year * 12)) / (7 * DAY)) + 1
  return `${timeText(thursday).slice(0, 4)}-W${String(week).padStart(2, '0')}`
}

/** A calendar month in UTC, counted in months from January of year 0. */
export type Month = number

export function monthOf(time: number): Month {
  const date = new Date(time)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** The month's first millisecond. Not `Date.UTC`: it reads the years 0 to 99 as 1900 to 1999. */
export function monthStart(month: Month): number {
  return new Date(0).setUTCFullYear(0, month, 1)
}

/** Formats a month as `2024-05`. */
export function monthText(month: Month): string {
  return new Date(monthStart(month)).toISOString().slice(0, 7)
}

/** Parses `2024-05`; null if the text is not a month. */
export function readMonth(text: string): Month | null {
  const match = /^([12]\d{3})-(0[1-9]|1[0-2])$/.exec(text)
  return match ? Number(match[1]) * 12 + Number(match[2]) - 1 : null
}
