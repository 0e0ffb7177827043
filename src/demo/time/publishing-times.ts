import type { Random } from '../../lib/random.ts'
import { DESK_HOURS, MONTHS, WEEKDAYS, YEARLY_GROWTH } from '../tables/rhythm.ts'

export const HOUR = 3_600_000
export const DAY = 24 * HOUR
/** Nigeria keeps UTC+1 all year. */
export const LAGOS = HOUR
const YEAR = 365.25 * DAY

/** `count` times from `from` up to, but not including, `until`: rising, no two alike, in the rhythm of the tables. */
export function* publishingTimes(count: number, from: number, until: number, random: Random): Generator<number> {
  if (until - from < count) throw new RangeError('there are more incidents than milliseconds')
  const hours = hourlyWeights(from, until)
  const total = hours.reduce((sum, weight) => sum + weight, 0)
  let hour = 0
  let before = 0
  let previous = from - 1
  for (let at = 0; at < count; at++) {
    const target = ((at + random()) / count) * total
    while (hour < hours.length - 1 && before + hours[hour]! <= target) before += hours[hour++]!
    const time = Math.floor(from + (hour + (target - before) / hours[hour]!) * HOUR)
    // The ones that follow need room before `until` as well.
    previous = Math.min(Math.max(time, previous + 1), until - (count - at))
    yield previous
  }
}

function hourlyWeights(from: number, until: number): Float64Array {
  const weights = new Float64Array(Math.ceil((until - from) / HOUR))
  for (let hour = 0; hour < weights.length; hour++) {
    const time = from + hour * HOUR
    const share = Math.min(1, (until - time) / HOUR)
    weights[hour] = share * busyness(time) * YEARLY_GROWTH ** ((time - from) / YEAR)
  }
  return weights
}

function busyness(time: number): number {
  const local = new Date(time + LAGOS)
  return MONTHS[local.getUTCMonth()]! * WEEKDAYS[local.getUTCDay()]! * DESK_HOURS[local.getUTCHours()]!
}
