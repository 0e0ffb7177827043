import { runToEnd, type Steps } from '../async/steps.ts'
import { monthOf, monthStart } from './month.ts'
import { timeText } from './time.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** 1970 began on a Thursday, three days after a Monday. */
const DAYS_SINCE_MONDAY = 3

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

/** An hour, day, week (from Monday), month or year in UTC; `end` is exclusive. */
export interface Period {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Counts the periods that contain a moment from `from` up to and including `to`. */
export function countPeriods(unit: CalendarUnit, from: number, to: number): number {
  const { numberOf } = CALENDARS[unit]
  return Math.max(0, numberOf(to) - numberOf(from) + 1)
}

/** Writing a time takes some microseconds, and there may be 25,000 periods. */
const PERIODS_PER_STEP = 100

/** Lists the periods that `countPeriods` counts. */
export function periodsBetween(unit: CalendarUnit, from: number, to: number): Period[] {
  return runToEnd(listPeriods(unit, from, to))
}

export function* listPeriods(unit: CalendarUnit, from: number, to: number): Steps<Period[]> {
  const { numberOf, startOf, name } = CALENDARS[unit]
  const first = numberOf(from)
  const count = countPeriods(unit, from, to)
  const periods: Period[] = []
  while (periods.length < count) {
    const start = startOf(first + periods.length)
    periods.push({ name: name(start), start, end: startOf(first + periods.length + 1) })
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
