import { ZONE_OFFSETS } from './calendar.ts'

/*
 * Times as clocks and calendars in Nigeria show them. Written by hand: fifty rows of the map's list
 * took longer in the browser's own formatters than in everything else the page did.
 */

const MONTHS = 'January February March April May June July August September October November December'.split(' ')

interface CalendarDay {
  readonly day: number
  readonly month: string
  /** 1 for January. */
  readonly monthNumber: number
  /** As British English abbreviates it: `Sept`, but `Jan`. */
  readonly shortMonth: string
  readonly year: number
}

export function calendarDay(time: string | number): CalendarDay {
  const date = shifted(time)
  const month = MONTHS[date.getUTCMonth()]!
  const monthNumber = date.getUTCMonth() + 1
  const shortMonth = month.slice(0, month === 'September' ? 4 : 3)
  return { day: date.getUTCDate(), month, monthNumber, shortMonth, year: date.getUTCFullYear() }
}

/** Formats the day of a time, e.g. `3 Jan 2026`. */
export function dayText(time: string | number): string {
  const { day, shortMonth, year } = calendarDay(time)
  return `${day} ${shortMonth} ${year}`
}

/** Formats the time of day, e.g. `08:05`. */
export function clockText(time: string | number): string {
  const date = shifted(time)
  return `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`
}

/** Formats a time with its zone, West Africa Time, e.g. `3 Jan 2026, 08:05 WAT`. */
export function momentText(time: string | number): string {
  return `${dayText(time)}, ${clockText(time)} WAT`
}

/** A date whose UTC members are those of Nigeria. */
function shifted(time: string | number): Date {
  return new Date(new Date(time).getTime() + ZONE_OFFSETS['Africa/Lagos'])
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

interface Elapsed {
  /** `date` is too long ago for an age. */
  readonly unit: 'now' | 'minutes' | 'hours' | 'days' | 'date'
  readonly count: number
}

/**
 * Measures the age of a time in the unit that people would use; from 60 days on, they name its
 * date.
 */
export function elapsed(time: string, now: number): Elapsed {
  const age = Math.max(0, now - Date.parse(time))
  if (age < MINUTE_MS) return { unit: 'now', count: 0 }
  if (age < HOUR_MS) return { unit: 'minutes', count: Math.floor(age / MINUTE_MS) }
  if (age < 2 * DAY_MS) return { unit: 'hours', count: Math.floor(age / HOUR_MS) }
  if (age < 60 * DAY_MS) return { unit: 'days', count: Math.floor(age / DAY_MS) }
  return { unit: 'date', count: 0 }
}
