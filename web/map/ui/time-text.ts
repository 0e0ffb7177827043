import type { Incident } from '../../../src/domain/incident.ts'
import type { TimeWindow } from '../../../src/filter/map-periods.ts'
import { eventAgeText as eventAgeTextIn } from '../../../src/i18n/texts.ts'
import { calendarDay, clockText } from '../../../src/lib/nigeria-time.ts'
import { t } from '../../shared/language.ts'

/**
 * Names a window as people do: `3–9 November`, `16 November, 08:00–14:00`, `since 15 November,
 * 09:00`.
 */
export function windowText(window: TimeWindow | null, now: number): string {
  if (window === null) return t('timeline.all_years')
  const [from, to] = [Date.parse(window.from), Date.parse(window.to)]
  const isOpen = to > now
  if (clockText(from) === '00:00' && (clockText(to) === '00:00' || isOpen)) {
    return daysText(from, Math.max(from, Math.min(to - 1, now)), now)
  }
  const first = `${dayText(from, now)}, ${clockText(from)}`
  if (isOpen) return t('timeline.since', { time: first })
  const last = clockText(to)
  return dayText(from, now) === dayText(to - 1, now)
    ? `${first}–${last === '00:00' ? '24:00' : last}`
    : `${first} – ${dayText(to, now)}, ${last}`
}

function daysText(from: number, last: number, now: number): string {
  const [first, end] = [calendarDay(from), calendarDay(last)]
  if (dayText(from, now) === dayText(last, now)) return dayText(from, now)
  const isSameYear = first.year === end.year
  if (isSameYear && first.month === end.month) return `${first.day}–${dayText(last, now)}`
  // Two months are shortened, and a year that both share is given once.
  const isThisYear = isSameYear && end.year === calendarDay(now).year
  const [firstYear, lastYear] = [isSameYear ? '' : ` ${first.year}`, isThisYear ? '' : ` ${end.year}`]
  return `${first.day} ${first.shortMonth}${firstYear} – ${end.day} ${end.shortMonth}${lastYear}`
}

/** Leaves out the current year. */
function dayText(time: number, now: number): string {
  const { day, month, year } = calendarDay(time)
  return `${day} ${month}${year === calendarDay(now).year ? '' : ` ${year}`}`
}

/** Puts the age of an event into the reader's words. */
export function eventAgeText(incident: Pick<Incident, 'occurred_at' | 'time_precision'>, now: number): string {
  return eventAgeTextIn(incident, now, t)
}
