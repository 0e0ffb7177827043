import type { TimePrecision } from '../domain/incident.ts'
import type { IncidentType } from '../domain/taxonomy.ts'
import { pickWeighted, type Random, randomExponential, weightedChoice } from '../lib/random.ts'
import {
  DESK_HOURS,
  HOURS,
  type HoursName,
  MONTHS,
  TIME_PRECISION_SHARES,
  TRAITS,
  WEEKDAYS,
  YEARLY_GROWTH,
} from './mixes.ts'

interface OccurrenceTime {
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

const WEEKDAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const

export function timePhrase({ occurredAt, precision }: OccurrenceTime): string {
  if (precision === 'week') return 'earlier in the week'
  const local = occurredAt + LAGOS_OFFSET_MS
  const weekday = WEEKDAY_NAMES[(Math.floor(local / DAY_MS) + 4) % 7]!
  if (precision === 'day') return `on ${weekday}`
  const hour = Math.floor(modulo(local, DAY_MS) / HOUR_MS)
  if (hour < 5) return `in the early hours of ${weekday}`
  if (hour < 12) return `on ${weekday} morning`
  if (hour < 17) return `on ${weekday} afternoon`
  if (hour < 20) return `on ${weekday} evening`
  return `on ${weekday} night`
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Nigeria has UTC+1 all year. */
const LAGOS_OFFSET_MS = HOUR_MS
const YEAR_MS = 365.25 * DAY_MS

/** Generates `count` increasing times in [`from`, `until`), distributed as in mixes.ts. */
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
  let [day, weightOfDay] = [Number.NaN, 0]
  for (let hour = 0; hour < weights.length; hour++) {
    const time = from + hour * HOUR_MS
    const local = time + LAGOS_OFFSET_MS
    if (Math.floor(local / DAY_MS) !== day) {
      day = Math.floor(local / DAY_MS)
      const date = new Date(local)
      weightOfDay = MONTHS[date.getUTCMonth()]! * WEEKDAYS[date.getUTCDay()]!
    }
    const weight = weightOfDay * DESK_HOURS[Math.floor(modulo(local, DAY_MS) / HOUR_MS)]!
    const share = Math.min(1, (until - time) / HOUR_MS)
    weights[hour] = share * weight * YEARLY_GROWTH ** ((time - from) / YEAR_MS)
  }
  return weights
}

const dates = new Map<number, string>()

/** Equals `timeText` at four times the speed: called four times per incident, for a million. */
export function isoTime(time: number): string {
  const day = Math.floor(time / DAY_MS)
  const rest = time - day * DAY_MS
  const hour = Math.floor(rest / HOUR_MS)
  const minute = Math.floor((rest % HOUR_MS) / MINUTE_MS)
  const second = Math.floor((rest % MINUTE_MS) / 1000)
  return `${dateOf(day)}${two(hour)}:${two(minute)}:${two(second)}Z`
}

/** `2026-11-15T`. */
function dateOf(day: number): string {
  let date = dates.get(day)
  if (date === undefined) {
    date = new Date(day * DAY_MS).toISOString().slice(0, 11)
    dates.set(day, date)
  }
  return date
}

const TWO = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
const two = (number: number): string => TWO[number]!
