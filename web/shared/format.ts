import { dayText, elapsed } from '../../src/lib/time/ago.ts'
import { t } from './language.ts'

export { dayText }

/** Formats the age of a time, e.g. `2 h ago`; from 60 days on, its date, e.g. `3 Jan 2026`. */
export function ago(time: string, now: number): string {
  const { unit, count } = elapsed(time, now)
  return unit === 'date' ? dayText(time) : unit === 'now' ? t('common.just_now') : t(`common.${unit}_ago`, { count })
}

/** Formats a range of days; a year that both share is given once. */
export function daysText(from: string, to: string): string {
  const [first, last] = [dayText(from), dayText(to)]
  if (first === last) return first
  const sameYear = from.slice(0, 4) === to.slice(0, 4)
  return `${sameYear ? first.slice(0, -5) : first} – ${last}`
}

/** Formats a time in Nigeria's one time zone, West Africa Time: UTC+1, no summer time. */
export function timeText(time: string | number): string {
  const clock = new Date(time).toLocaleTimeString('en-GB', {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'Africa/Lagos',
  })
  const day = new Date(time).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'Africa/Lagos',
  })
  return `${day}, ${clock} WAT`
}

export function numberText(number: number): string {
  return number.toLocaleString('en')
}

export function incidentCountText(count: number): string {
  return t('common.incidents', { count: numberText(count) })
}

export function percentText(share: number): string {
  return `${Math.round(share * 100)}\u00a0%`
}

/** Names the LGA and the state of an incident, or only the state. */
export function placeText({ lga, state }: { lga: string | null; state: string }): string {
  return lga === null ? state : `${lga}, ${state}`
}
