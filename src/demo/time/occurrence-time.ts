import type { TimePrecision } from '../../domain/incident.ts'
import type { IncidentType } from '../../domain/taxonomy.ts'
import { choiceOf, draw, exponential, type Random } from '../../lib/random.ts'
import { HOURS, type HoursName } from '../tables/rhythm.ts'
import { TIME_PRECISION_SHARES } from '../tables/shares.ts'
import { TRAITS } from '../tables/types.ts'
import { DAY, HOUR, LAGOS } from './publishing-times.ts'

export interface Moment {
  readonly occurredAt: number
  readonly precision: TimePrecision
  readonly reportedAt: number
}

const MINUTE = 60_000
const DESK_HOURS_TAKEN = 2.5
const NEWS_HOURS_TAKEN = 2
const LONGEST_HOURS = 60
// Day 0 of the epoch was a Thursday.
const MONDAY = 3

const PRECISIONS = choiceOf(TIME_PRECISION_SHARES)
const HOURS_OF = Object.fromEntries(
  Object.entries(HOURS).map(([name, weights]) => [name, choiceOf(weights.map((weight, hour) => [hour, weight]))]),
) as Record<HoursName, ReturnType<typeof choiceOf<number>>>

/** When an incident of that type happened and was reported, seen from when it was published. */
export function momentBefore(publishedAt: number, type: IncidentType, random: Random): Moment {
  const reportedAt = publishedAt - delay(10 * MINUTE, DESK_HOURS_TAKEN, random)
  const latest = reportedAt - delay(15 * MINUTE, NEWS_HOURS_TAKEN, random) + LAGOS
  const hour = draw(random, HOURS_OF[TRAITS[type].hours])
  const today = latest - modulo(latest, DAY) + hour * HOUR + Math.floor(random() * 12) * 5 * MINUTE
  const occurredAt = (today > latest ? today - DAY : today) - LAGOS
  const precision = draw(random, PRECISIONS)
  return { occurredAt: rounded(occurredAt, precision), precision, reportedAt }
}

function delay(least: number, hours: number, random: Random): number {
  return least + Math.floor(Math.min(exponential(random, hours), LONGEST_HOURS) * HOUR)
}

/** The start of the hour, day or week: what the precision leaves of a time. */
function rounded(time: number, precision: TimePrecision): number {
  if (precision === 'hour') return time - modulo(time, HOUR)
  if (precision === 'day') return time - modulo(time, DAY)
  if (precision === 'week') return time - modulo(time + MONDAY * DAY, 7 * DAY)
  return time
}

function modulo(time: number, span: number): number {
  return ((time % span) + span) % span
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export function momentPhrase({ occurredAt, precision }: Moment): string {
  if (precision === 'week') return 'earlier in the week'
  const local = occurredAt + LAGOS
  const weekday = WEEKDAYS[(Math.floor(local / DAY) + 4) % 7]!
  if (precision === 'day') return `on ${weekday}`
  const hour = Math.floor(modulo(local, DAY) / HOUR)
  if (hour < 5) return `in the early hours of ${weekday}`
  if (hour < 12) return `on ${weekday} morning`
  if (hour < 17) return `on ${weekday} afternoon`
  if (hour < 20) return `on ${weekday} evening`
  return `on ${weekday} night`
}
