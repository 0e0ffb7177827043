import type { TimeWindow } from '../../../src/query/map-periods.ts'
import { t } from '../../shared/language.ts'

const ZONE = 'Africa/Lagos'

/** Names a window as people do: `3–9 November`, `16 November, 08:00–14:00`, `since 15 November, 09:00`. */
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
  const [first, end] = [dayText(from, now), dayText(last, now)]
  if (first === end) return first
  if (monthText(from) === monthText(last)) return `${partOf(from, { day: 'numeric' })}–${end}`
  // Two months are shortened, and a year that both share is given once.
  const isShared = partOf(from, { year: 'numeric' }) === partOf(last, { year: 'numeric' })
  const isThisYear = isShared && partOf(last, { year: 'numeric' }) === partOf(now, { year: 'numeric' })
  const short = (time: number, withYear: boolean) =>
    partOf(time, { day: 'numeric', month: 'short', ...(withYear ? { year: 'numeric' } : {}) })
  return `${short(from, !isShared)} – ${short(last, !isThisYear)}`
}

/** Leaves out the current year. */
function dayText(time: number, now: number): string {
  const isThisYear = partOf(time, { year: 'numeric' }) === partOf(now, { year: 'numeric' })
  return partOf(time, { day: 'numeric', month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) })
}

function monthText(time: number): string {
  return partOf(time, { month: 'long', year: 'numeric' })
}

function clockText(time: number): string {
  return new Date(time).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: ZONE })
}

function partOf(time: number, options: Intl.DateTimeFormatOptions): string {
  return new Date(time).toLocaleDateString('en-GB', { ...options, timeZone: ZONE })
}
