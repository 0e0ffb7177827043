import { ago, dayText } from '../../src/lib/time/ago.ts'

export { ago, dayText }

/** From one day to another, with what they share said once. */
export function daysText(from: string, to: string): string {
  const [first, last] = [dayText(from), dayText(to)]
  if (first === last) return first
  const sameYear = from.slice(0, 4) === to.slice(0, 4)
  return `${sameYear ? first.slice(0, -5) : first} – ${last}`
}

/** Nigeria has one time zone, and no summer time: an hour ahead of UTC. */
export function momentText(time: string | number): string {
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

export function count(number: number): string {
  return number.toLocaleString('en')
}

export function incidents(number: number): string {
  return number === 1 ? '1 incident' : `${count(number)} incidents`
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}\u00a0%`
}

export function whereOf({ lga, state }: { lga: string | null; state: string }): string {
  return lga === null ? state : `${lga}, ${state}`
}
