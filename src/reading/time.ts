import type { TimePrecision } from '../domain/incident.ts'
import { ZONE_OFFSETS } from '../lib/calendar.ts'
import type { Span } from './sentences.ts'

export interface ReadTime extends Span {
  readonly occurred_at: string
  readonly time_precision: TimePrecision
  readonly score: number
}

const DAY = 86_400_000
const LAGOS = ZONE_OFFSETS['Africa/Lagos']

/**
 * Reads the time of an event, relative to the day of publication; null where the text does not say.
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
  const { start, end, reading } = found
  const clock = reading.precision === 'day' ? clockNear(text, end) : null
  if (!clock) {
    const occurred_at = new Date(day * DAY).toISOString()
    return { start, end, occurred_at, time_precision: reading.precision, score: 0.8 }
  }
  const occurred_at = new Date(day * DAY + clock.minutes * 60_000 - LAGOS).toISOString()
  return { start, end: clock.end, occurred_at, time_precision: 'hour', score: 0.85 }
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

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
export const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

type DateReading = { readonly precision: TimePrecision } & (
  | { readonly kind: 'ago'; readonly days: number }
  | { readonly kind: 'weekday'; readonly name: (typeof WEEKDAYS)[number]; readonly last: boolean }
  | { readonly kind: 'date'; readonly day: number; readonly month: string; readonly year: number | null }
)

interface DateRule {
  readonly words: RegExp
  readonly means: DateReading | ((match: RegExpExecArray) => DateReading | null)
  /** Published on Wednesday, 11 November 2026: the text, and the day that it means. */
  readonly example: readonly [text: string, day: string]
}

const MONTH =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?'
const DAY_OF_MONTH = '(\\d{1,2})(?:st|nd|rd|th)?'
const PART =
  '(?:(?:the )?(?:early|wee|late) (?:hours|morning|evening)(?: of)? |night of |evening of |morning of |afternoon of )?'
const ago = (days: number, precision: TimePrecision = 'day'): DateReading => ({ kind: 'ago', days, precision })

function date(day: string, month: string, year: string | undefined): DateReading | null {
  const number = Number(day)
  if (number < 1 || number > 31) return null
  return {
    kind: 'date',
    day: number,
    month: month.toLowerCase(),
    year: year === undefined ? null : Number(year),
    precision: 'day',
  }
}

/** Of several that a text has, the first counts. */
export const DATE_RULES: readonly DateRule[] = [
  {
    words: /\b(20\d\d|19\d\d)-(\d\d)-(\d\d)\b/,
    means: ([, year, month, day]) => date(day!, MONTHS[Number(month) - 1] ?? '', year),
    example: ['on 2026-10-03', '2026-10-03'],
  },
  {
    words: new RegExp(`\\b${DAY_OF_MONTH} (?:of )?${MONTH},? (\\d{4})\\b`, 'i'),
    means: ([, day, month, year]) => date(day!, month!, year),
    example: ['on 3rd October, 2026', '2026-10-03'],
  },
  {
    words: new RegExp(`\\b${MONTH} ${DAY_OF_MONTH},? (\\d{4})\\b`, 'i'),
    means: ([, month, day, year]) => date(day!, month!, year),
    example: ['on October 3, 2026', '2026-10-03'],
  },
  {
    words: new RegExp(`\\b(?:on |of |night of |dated )(?:\\w+day,? )?${DAY_OF_MONTH} (?:of )?${MONTH}(?! ?\\d)`, 'i'),
    means: ([, day, month]) => date(day!, month!, undefined),
    example: ['on 3 October', '2026-10-03'],
  },
  {
    words: new RegExp(`\\b(?:on |of )?(?:\\w+day,? )?${MONTH} ${DAY_OF_MONTH}(?!\\d|,? \\d{4}|:)`, 'i'),
    means: ([, month, day]) => date(day!, month!, undefined),
    example: ['on Saturday, October 3', '2026-10-03'],
  },
  {
    words: new RegExp(
      `\\b${PART}(last |on |late |early |this |over |of |by )?(sunday|monday|tuesday|wednesday|thursday|friday|saturday)(?: last week)?\\b`,
      'i',
    ),
    means: ([whole, before, name]) => ({
      kind: 'weekday',
      name: name!.toLowerCase() as (typeof WEEKDAYS)[number],
      last: /last/i.test(`${before}${whole}`),
      precision: 'day',
    }),
    example: ['in the early hours of Sunday', '2026-11-08'],
  },
  { words: /\b(?:day before yesterday|two days ago)\b/i, means: ago(2), example: ['two days ago', '2026-11-09'] },
  {
    words: /\b(?:yesterday|last night|jiya|the previous day|overnight)\b/i,
    means: ago(1),
    example: ['last night', '2026-11-10'],
  },
  {
    words: /\b(?:today|this morning|this afternoon|earlier today|yau|tonight|early hours of today|dis morning)\b/i,
    means: ago(0),
    example: ['this morning', '2026-11-11'],
  },
  {
    words: /\b(\d|two|three|four|five|six) days ago\b/i,
    means: ([, count]) =>
      ago(Number(count) || ['', '', 'two', 'three', 'four', 'five', 'six'].indexOf(count!.toLowerCase())),
    example: ['three days ago', '2026-11-08'],
  },
  { words: /\b(?:last|past) week(?:end)?\b/i, means: ago(7, 'week'), example: ['last week', '2026-11-04'] },
  { words: /\blast month\b/i, means: ago(30, 'month'), example: ['last month', '2026-10-12'] },
]

/** "at about 2:30 a.m.", "around 11pm", "by 0300 hrs". */
const CLOCK =
  /^[^.;]{0,18}?\b(?:at|around|about|by)\s+(?:about |around |exactly )?(\d{1,2})[:.]?(\d\d)?\s*(a\.?m|p\.?m|hrs|hours)?\b/i
