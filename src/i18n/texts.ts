import type { Incident } from '../domain/incident.ts'
import { startOfPeriod } from '../lib/calendar.ts'
import { calendarDay, clockText, dayText, elapsed, momentText } from '../lib/nigeria-time.ts'
import { numberText } from '../lib/text.ts'
import type { BrowserTranslate, MessageKey, Translate } from './translate.ts'

/** Names the LGA and the state of an incident, or only the state. */
export function placeText({ lga, state }: Pick<Incident, 'lga' | 'state'>): string {
  return lga === null ? state : `${lga}, ${state}`
}

/** The precision of the place in words: `town or village, within 3 km`. */
export function precisionText({ precision, radius_km }: Incident['location'], t: BrowserTranslate): string {
  const text = t(`panel.precision_${precision}`)
  return radius_km === null ? text : t('panel.precision_within', { precision: text, count: radius_km })
}

/** The time of the event in words, no more exact than that is known. */
export function occurredText(
  { occurred_at, time_precision }: Pick<Incident, 'occurred_at' | 'time_precision'>,
  t: BrowserTranslate,
): string {
  if (time_precision === 'exact') return momentText(occurred_at)
  if (time_precision === 'hour') return t('panel.occurred_hour', { time: momentText(occurred_at) })
  if (time_precision === 'day') return dayText(occurred_at)
  return t(`panel.occurred_${time_precision}`, { day: dayText(occurred_at) })
}

/**
 * `known` leaves out zeros: in a list they would hide the figures that matter. Empty if there are
 * none.
 */
export function casualtiesText(
  { killed, injured, abducted }: Incident['casualties'],
  t: BrowserTranslate,
  which: 'all' | 'known' = 'all',
): string {
  const isShown = (count: number | null): count is number => count !== null && (which === 'all' || count > 0)
  return [
    isShown(killed) && t('common.killed', { count: killed }),
    isShown(injured) && t('common.injured', { count: injured }),
    isShown(abducted) && t('common.abducted', { count: abducted }),
  ]
    .filter((part) => part !== false)
    .join(', ')
}

/**
 * Puts the age of a time into words, e.g. `2 h ago`; from 60 days on, its date, e.g. `3 Jan 2026`.
 */
export function ageText(time: string, now: number, t: BrowserTranslate): string {
  const { unit, count } = elapsed(time, now)
  return unit === 'date' ? dayText(time) : unit === 'now' ? t('common.just_now') : t(`common.${unit}_ago`, { count })
}

/** Puts the age of an event into words: `3 h ago`, or `3 days ago` where only the day is known. */
export function eventAgeText(
  incident: Pick<Incident, 'occurred_at' | 'time_precision'>,
  now: number,
  t: BrowserTranslate,
): string {
  const { unit, count } = eventAge(incident, now)
  const day = dayText(incident.occurred_at)
  if (unit === 'date') return day
  if (unit === 'now') return t('common.just_now')
  if (unit === 'week') return t('panel.in_week_of', { day })
  if (unit === 'month') return t('panel.in_month', { month: day.slice(day.indexOf(' ') + 1) })
  if (unit === 'year') return t('panel.in_year', { year: day.slice(-4) })
  if (unit === 'today' || unit === 'yesterday') return t(`panel.${unit}`)
  return t(`common.${unit}_ago`, { count })
}

/** The age of an event, no more exact than its time is known; `count` is of the unit. */
interface EventAge {
  readonly unit: 'now' | 'minutes' | 'hours' | 'today' | 'yesterday' | 'days' | 'date' | 'week' | 'month' | 'year'
  readonly count: number
}

const DAY_MS = 86_400_000
/** From then on people name the date. */
const MAX_DAYS = 60

/** Measures from when it happened, not from when it was published. */
export function eventAge(
  { occurred_at, time_precision }: Pick<Incident, 'occurred_at' | 'time_precision'>,
  now: number,
): EventAge {
  if (time_precision === 'exact' || time_precision === 'hour') return elapsed(occurred_at, now)
  if (time_precision !== 'day') return { unit: time_precision, count: 0 }
  // A day is stored as its date; which day it is now depends on Nigeria's midnight.
  const day = Math.floor(Date.parse(occurred_at) / DAY_MS)
  const today = Math.round(
    (startOfPeriod('day', now, 'Africa/Lagos') - startOfPeriod('day', 0, 'Africa/Lagos')) / DAY_MS,
  )
  const count = today - day
  if (count <= 0) return { unit: 'today', count: 0 }
  if (count === 1) return { unit: 'yesterday', count }
  return count < MAX_DAYS ? { unit: 'days', count } : { unit: 'date', count }
}

/** The month with its year, in words of the language: `Nuwamba 2026`. */
export function monthText(time: string | number, t: Translate): string {
  const { monthNumber, year } = calendarDay(time)
  return `${t(`messages.month_${monthNumber}` as MessageKey)} ${year}`
}

/** `17 Nuwamba 2026`. */
export function dateText(time: string | number, t: Translate): string {
  return `${calendarDay(time).day} ${monthText(time, t)}`
}

/** With the time of day and its zone, West Africa Time: `17 Nuwamba 2026, 08:05 WAT`. */
export function dateAndTimeText(time: string | number, t: Translate): string {
  return `${dateText(time, t)}, ${clockText(time)} WAT`
}

/** A month, and what would be usual in it; null where that is not known. */
export interface MonthTrend {
  readonly start: number
  readonly observed: number
  readonly usual: { readonly from: number; readonly to: number } | null
  readonly isOver: boolean
  /** Whether it is over and nearly all its incidents are published. */
  readonly isComplete: boolean
}

/** `14 in October 2026; 5 to 9 would be usual.` */
export function trendText({ start, observed, usual, isOver, isComplete }: MonthTrend, t: BrowserTranslate): string {
  const { month, year } = calendarDay(start)
  const values = {
    count: numberText(observed),
    month: `${month} ${year}`,
    ...(usual && { usual: rangeText(usual, t) }),
  }
  if (!isOver) return t(usual ? 'areas.trend_running' : 'areas.trend_running_alone', values)
  const sentence = t(usual ? 'areas.trend_over' : 'areas.trend_over_alone', values)
  return isComplete ? sentence : `${sentence} ${t('areas.trend_incomplete')}`
}

function rangeText({ from, to }: NonNullable<MonthTrend['usual']>, t: BrowserTranslate): string {
  return from === to ? numberText(to) : t('areas.trend_range', { from: numberText(from), to: numberText(to) })
}
