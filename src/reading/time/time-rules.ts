import type { TimePrecision } from '../../domain/incident.ts'

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
export const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

export type DateReading = { readonly precision: TimePrecision } & (
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
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?'
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
    words: new RegExp(`\\b${DAY} (?:of )?${MONTH},? (\\d{4})\\b`, 'i'),
    means: ([, day, month, year]) => date(day!, month!, year),
    example: ['on 3rd October, 2026', '2026-10-03'],
  },
  {
    words: new RegExp(`\\b${MONTH} ${DAY},? (\\d{4})\\b`, 'i'),
    means: ([, month, day, year]) => date(day!, month!, year),
    example: ['on October 3, 2026', '2026-10-03'],
  },
  {
    words: new RegExp(`\\b(?:on |of |night of |dated )(?:\\w+day,? )?${DAY} (?:of )?${MONTH}(?! ?\\d)`, 'i'),
    means: ([, day, month]) => date(day!, month!, undefined),
    example: ['on 3 October', '2026-10-03'],
  },
  {
    words: new RegExp(`\\b(?:on |of )?(?:\\w+day,? )?${MONTH} ${DAY}(?!\\d|,? \\d{4}|:)`, 'i'),
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
export const CLOCK =
  /^[^.;]{0,18}?\b(?:at|around|about|by)\s+(?:about |around |exactly )?(\d{1,2})[:.]?(\d\d)?\s*(a\.?m|p\.?m|hrs|hours)?\b/i
