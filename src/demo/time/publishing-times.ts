import type { Random } from '../../lib/random.ts'
import { DESK_HOURS, MONTHS, WEEKDAYS, YEARLY_GROWTH } from '../tables/rhythm.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
/** Nigeria has UTC+1 all year. */
export const LAGOS_OFFSET_MS = HOUR_MS
const YEAR_MS = 365.25 * DAY_MS

/** Generates `count` increasing times in [`from`, `until`), distributed as in tables/rhythm.ts. */
export function* publishingTimes(count: number, from: number, until: number, random: Random): Generator<number> {
  if (until - from < count) throw new RangeError('the window has fewer milliseconds than incidents')
  const hours = hourlyWeights(from, until)
  const total = hours.reduce((sum, weight) => sum + weight, 0)
  let hour = 0
  let before = 0
  let previous = from - 1
  for (let at = 0; at < count; at++) {
    const target = ((at + random()) / count) * total
    while (hour < hours.length - 1 && before + hours[hour]! <= target) before += hours[hour++]!
    const time = Math.floor(from + (hour + (target - before) / hours[hour]!) * HOUR_MS)
    // Leaves a millisecond for each of the times that follow.
    previous = Math.min(Math.max(time, previous + 1), until - (count - at))
    yield previous
  }
}

function hourlyWeights(from: number, until: number): Float64Array {
  const weights = new Float64Array(Math.ceil((until - from) / HOUR_MS))
  for (let hour = 0; hour < weights.length; hour++) {
    const time = from + hour * HOUR_MS
    const share = Math.min(1, (until - time) / HOUR_MS)
    weights[hour] = share * publishingWeight(time) * YEARLY_GROWTH ** ((time - from) / YEAR_MS)
  }
  return weights
}

function publishingWeight(time: number): number {
  const local = new Date(time + LAGOS_OFFSET_MS)
  return MONTHS[local.getUTCMonth()]! * WEEKDAYS[local.getUTCDay()]! * DESK_HOURS[local.getUTCHours()]!
}
