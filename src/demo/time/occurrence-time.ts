import type { TimePrecision } from '../../domain/incident.ts'
import type { IncidentType } from '../../domain/taxonomy.ts'
import { pickWeighted, type Random, randomExponential, weightedChoice } from '../../lib/random.ts'
import { HOURS, type HoursName } from '../tables/rhythm.ts'
import { TIME_PRECISION_SHARES } from '../tables/shares.ts'
import { TRAITS } from '../tables/types.ts'
import { DAY_MS, HOUR_MS, LAGOS_OFFSET_MS } from './publishing-times.ts'

export interface OccurrenceTime {
  readonly occurredAt: number
  readonly precision: TimePrecision
  readonly reportedAt: number
}

const MINUTE_MS = 60_000
const MEAN_DESK_HOURS = 2.5
const MEAN_NEWS_HOURS = 2
const MAX_DELAY_HOURS = 60
// 1970-01-01 was a Thursday, three days after a Monday.
const MONDAY = 3

const PRECISIONS = weightedChoice(TIME_PRECISION_SHARES)
const HOURS_OF = Object.fromEntries(
  Object.entries(HOURS).map(([name, weights]) => [name, weightedChoice(weights.map((weight, hour) => [hour, weight]))]),
) as Record<HoursName, ReturnType<typeof weightedChoice<number>>>

/** Draws the times at which an incident happened and was reported, before its publication. */
export function drawOccurrenceTime(publishedAt: number, type: IncidentType, random: Random): OccurrenceTime {
  const reportedAt = publishedAt - delay(10 * MINUTE_MS, MEAN_DESK_HOURS, random)
  const latest = reportedAt - delay(15 * MINUTE_MS, MEAN_NEWS_HOURS, random) + LAGOS_OFFSET_MS
  const hour = pickWeighted(random, HOURS_OF[TRAITS[type].hours])
  const today = latest - modulo(latest, DAY_MS) + hour * HOUR_MS + Math.floor(random() * 12) * 5 * MINUTE_MS
  const occurredAt = (today > latest ? today - DAY_MS : today) - LAGOS_OFFSET_MS
  const precision = pickWeighted(random, PRECISIONS)
  return { occurredAt: rounded(occurredAt, precision), precision, reportedAt }
}

function delay(least: number, hours: number, random: Random): number {
  return least + Math.floor(Math.min(randomExponential(random, hours), MAX_DELAY_HOURS) * HOUR_MS)
}

/** Rounds a time down to the hour, day or week of its precision. */
function rounded(time: number, precision: TimePrecision): number {
  if (precision === 'hour') return time - modulo(time, HOUR_MS)
  if (precision === 'day') return time - modulo(time, DAY_MS)
  if (precision === 'week') return time - modulo(time + MONDAY * DAY_MS, 7 * DAY_MS)
  return time
}

function modulo(time: number, length: number): number {
  return ((time % length) + length) % length
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export function timePhrase({ occurredAt, precision }: OccurrenceTime): string {
  if (precision === 'week') return 'earlier in the week'
  const local = occurredAt + LAGOS_OFFSET_MS
  const weekday = WEEKDAYS[(Math.floor(local / DAY_MS) + 4) % 7]!
  if (precision === 'day') return `on ${weekday}`
  const hour = Math.floor(modulo(local, DAY_MS) / HOUR_MS)
  if (hour < 5) return `in the early hours of ${weekday}`
  if (hour < 12) return `on ${weekday} morning`
  if (hour < 17) return `on ${weekday} afternoon`
  if (hour < 20) return `on ${weekday} evening`
  return `on ${weekday} night`
}
