const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export interface Elapsed {
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
