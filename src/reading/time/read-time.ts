import type { TimePrecision } from '../../domain/incident.ts'
import { ZONE_OFFSETS } from '../../lib/calendar.ts'
import type { Span } from '../rule.ts'
import { CLOCK, DATE_RULES, type DateReading, MONTHS, WEEKDAYS } from './time-rules.ts'

export interface ReadTime extends Span {
  readonly occurred_at: string
  readonly time_precision: TimePrecision
  readonly score: number
}

const DAY = 86_400_000
const LAGOS = ZONE_OFFSETS['Africa/Lagos']

/**
 * When something happened, relative to the day of publication; null where the text does not say.
 */
export function readTime(text: string, publishedAt: number | null): ReadTime | null {
  let found: { reading: DateReading; start: number; end: number } | null = null
  for (const { words, means } of DATE_RULES) {
    const match = words.exec(text)
    if (!match) continue
    const reading = typeof means === 'function' ? means(match) : means
    if (reading === null || (reading.kind !== 'date' && publishedAt === null)) continue
    if (reading.kind === 'date' && reading.year === null && publishedAt === null) continue
    if (found === null || match.index < found.start)
      found = { reading, start: match.index, end: match.index + match[0].length }
  }
  if (found === null) return null
  const today = publishedAt === null ? 0 : Math.floor((publishedAt + LAGOS) / DAY)
  const day = dayOf(found.reading, today)
  if (day === null) return null
  const precision = found.reading.precision
  const clock = precision === 'day' ? clockNear(text, found.end) : null
  if (clock) {
    const time = day * DAY + clock.minutes * 60_000 - LAGOS
    return {
      ...span(found.start, clock.end),
      occurred_at: new Date(time).toISOString(),
      time_precision: 'hour',
      score: 0.85,
    }
  }
  return {
    ...span(found.start, found.end),
    occurred_at: new Date(day * DAY).toISOString(),
    time_precision: precision,
    score: 0.8,
  }
}

function span(start: number, end: number): Span {
  return { start, end }
}

/** Days since 1970. */
function dayOf(reading: DateReading, today: number): number | null {
  switch (reading.kind) {
    case 'ago':
      return today - reading.days
    case 'weekday': {
      const weekday = WEEKDAYS.indexOf(reading.name)
      // 1970 began on a Thursday.
      const back = (today + 4 - weekday + 700_000) % 7
      return today - (back === 0 && reading.last ? 7 : back)
    }
    case 'date': {
      const month = MONTHS.indexOf(reading.month.slice(0, 3))
      const year = reading.year ?? new Date(today * DAY).getUTCFullYear()
      const time = Date.UTC(year, month, reading.day)
      if (new Date(time).getUTCDate() !== reading.day) return null
      const day = time / DAY
      // "28 December", published in January.
      return reading.year === null && day > today + 1 ? Date.UTC(year - 1, month, reading.day) / DAY : day
    }
  }
}

function clockNear(text: string, end: number): { readonly minutes: number; readonly end: number } | null {
  const match = CLOCK.exec(text.slice(end, end + 40))
  if (!match) return null
  const [, hours, minutes = '0', half] = match
  const hour = Number(hours)
  if (half ? hour > 12 || hour === 0 : hour > 23) return null
  const shifted = half ? (hour % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0) : hour
  return { minutes: shifted * 60 + Number(minutes), end: end + match.index + match[0].length }
}
