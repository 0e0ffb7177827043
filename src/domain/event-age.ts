import { startOfPeriod } from '../lib/calendar.ts'
import { elapsed } from '../lib/nigeria-time.ts'
import type { Incident } from './incident.ts'

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
