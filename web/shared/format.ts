import { ago, dayText } from '../../src/lib/time/ago.ts'

export { ago, dayText }

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
  return count === 1 ? '1 incident' : `${numberText(count)} incidents`
}

export function percentText(share: number): string {
  return `${Math.round(share * 100)}\u00a0%`
}

/** Names the LGA and the state of an incident, or only the state. */
export function placeText({ lga, state }: { lga: string | null; state: string }): string {
  return lga === null ? state : `${lga}, ${state}`
}
