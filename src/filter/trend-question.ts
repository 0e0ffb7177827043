import { atPointer, didYouMean, type FieldError, nameHints } from '../domain/errors.ts'
import type { Lga, PlaceLookup, Places, State } from '../domain/places.ts'
import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../domain/taxonomy.ts'
import { startOfPeriod, TIME_ZONES, type TimeZone } from '../lib/calendar.ts'
import { parseTime } from '../lib/time.ts'
import type { AreaShape, Filter } from './filter.ts'
import { FILTER_PARAMETERS, isOneOf, type Parameter, parseChoice, quote } from './parameters.ts'
import { type FilterObject, parseFilterObject, parseFilterQuery, withFilter } from './parse-filter.ts'

export const TREND_PERIODS = ['week', 'month'] as const
export type TrendPeriodUnit = (typeof TREND_PERIODS)[number]

export const MAX_TREND_PERIODS = 12
const DEFAULT_TREND_PERIODS = 2

export const TREND_GROUPS = ['state', 'lga', 'type', 'category', 'severity'] as const
export type TrendGrouping = (typeof TREND_GROUPS)[number]

const GROUP_NAMES: Readonly<Record<Exclude<TrendGrouping, 'state' | 'lga'>, readonly string[]>> = {
  type: TYPE_NAMES,
  category: CATEGORY_NAMES,
  severity: SEVERITIES,
}

/** A request to compare recent counts with those of earlier years. */
export interface TrendQuestion {
  /** Null counts everything that matches together. */
  readonly groupBy: TrendGrouping | null
  /** Sorted keys of the groups to tell of, though all are compared; null is all. */
  readonly only: readonly string[] | null
  readonly period: TrendPeriodUnit
  /** The number of periods compared; the last is the one that contains `at`. */
  readonly periods: number
  /** Null is now. */
  readonly at: number | null
  readonly timeZone: TimeZone
  readonly filter: Filter
}

export const TREND_PARAMETERS = {
  group_by: {
    description: 'Compares each value of this group; without it, everything that matches counts together.',
    example: 'state',
    values: TREND_GROUPS,
  },
  only: {
    description:
      'Returns these values of the group only, by name or code. All are compared all the same, so `verdict` is that of the whole answer. Up to 100 values.',
    example: 'Kaduna',
    several: true,
  },
  period: {
    description: 'Weeks (from Monday) or months, of `occurred_at` in `time_zone`.',
    example: 'month',
    values: TREND_PERIODS,
    required: true,
  },
  periods: {
    description: `How many periods, from 1 to ${MAX_TREND_PERIODS}; the last is the one that contains \`at\`. Default: ${DEFAULT_TREND_PERIODS}, the running one and the one before.`,
    example: '2',
    number: { type: 'integer', minimum: 1, maximum: MAX_TREND_PERIODS },
  },
  at: {
    description:
      'An RFC 3339 time or date (UTC) in the last period; default: now. Counts are those known today, also for the past.',
    example: '2026-10-31',
  },
  time_zone: {
    description: 'The time zone in which weeks and months begin: `UTC` (the default) or `Africa/Lagos` (UTC+1).',
    example: 'Africa/Lagos',
    values: TIME_ZONES,
  },
} as const satisfies Record<string, Parameter>

const { since: _since, from: _from, to: _to, ...untilOccurred } = FILTER_PARAMETERS
const { occurred_from: _occurredFrom, occurred_to: _occurredTo, ...withoutTimes } = untilOccurred
/** The filters without windows of time: the method decides on the years that it reads. */
export const TREND_FILTER_PARAMETERS = withoutTimes

const PARAMETER_NAMES = [...Object.keys(TREND_PARAMETERS), ...Object.keys(TREND_FILTER_PARAMETERS)]

/** The most comparisons in one answer, about a second of a processor: 5 periods of all LGAs. */
export const MAX_TREND_COMPARISONS = 4000

/** Earlier times have no five years before them; later ones no incidents. */
const EARLIEST = Date.UTC(1970, 0, 1)

/** Throws a `Problem` that names every error. */
export function parseTrendQuestion(
  query: URLSearchParams,
  places: Places,
  now: number,
  area: AreaShape | null = null,
): TrendQuestion {
  return questionFrom(parseFilterQuery(query, places, PARAMETER_NAMES, area), places, now, (error) => error)
}

/** The same with the parameters as members of a JSON object, and the shapes that it can hold. */
export function parseTrendQuestionBody(
  body: unknown,
  places: Places,
  now: number,
  area: AreaShape | null = null,
): TrendQuestion {
  return questionFrom(parseFilterObject(body, '', places, PARAMETER_NAMES, area), places, now, atPointer)
}

function questionFrom(
  { parameters, filter }: FilterObject,
  places: Places,
  now: number,
  locate: (error: FieldError) => FieldError,
): TrendQuestion {
  const errors: FieldError[] = []
  const text = (name: keyof typeof TREND_PARAMETERS) => parameters.values.get(name)?.join() ?? null
  const groupBy = parseChoice('group_by', text('group_by'), TREND_GROUPS, errors)
  const only = parseOnly(parameters.values.get('only') ?? null, groupBy, places, errors)
  // An empty or repeated parameter already has its error.
  if (text('period') === null && !parameters.errors.some((error) => isAt(error, 'period')))
    errors.push({ parameter: 'period', message: 'is missing; give week or month', allowed: TREND_PERIODS })
  const period = parseChoice('period', text('period'), TREND_PERIODS, errors) ?? 'month'
  const periods = parsePeriods(text('periods'), errors)
  const at = parseAt(text('at'), now, errors)
  const timeZone = parseChoice('time_zone', text('time_zone'), TIME_ZONES, errors) ?? 'UTC'
  if (!('errors' in filter) && groupBy === 'lga') refuseTooMany(filter.value, periods, places, errors)
  // Every moment of a period asks the same question, so that it is answered once.
  const start = at === null ? null : startOfPeriod(period, at, timeZone)
  return withFilter(filter, errors.map(locate), { groupBy, only, period, periods, at: start, timeZone })
}

function isAt({ parameter, pointer }: FieldError, name: string): boolean {
  return parameter === name || pointer === `/${name}`
}

/** Only LGAs are so many. */
function refuseTooMany({ lgas, states }: Filter, periods: number, places: Places, errors: FieldError[]): void {
  const inStates = places.lgas.filter(({ state }) => states === null || states.includes(state.code)).length
  const groups = lgas?.length ?? inStates
  if (groups * periods <= MAX_TREND_COMPARISONS) return
  const most = Math.floor(MAX_TREND_COMPARISONS / groups)
  const message = `asks for ${periods} periods of up to ${groups} LGAs; give at most ${most}, or the states whose LGAs you want`
  errors.push({ parameter: 'periods', message })
}

function parsePeriods(text: string | null, errors: FieldError[]): number {
  if (text === null) return DEFAULT_TREND_PERIODS
  const count = /^\d{1,2}$/.test(text) ? Number(text) : 0
  if (count >= 1 && count <= MAX_TREND_PERIODS) return count
  errors.push({ parameter: 'periods', message: `must be a whole number from 1 to ${MAX_TREND_PERIODS}` })
  return DEFAULT_TREND_PERIODS
}

function parseAt(text: string | null, now: number, errors: FieldError[]): number | null {
  if (text === null) return null
  const at = parseTime(text)
  if (at !== null && at >= EARLIEST && at <= now) return at
  const problem =
    at === null
      ? `takes an RFC 3339 time or a date, as 2026-10-31, not ${quote(text)}`
      : 'must lie between 1970 and now'
  errors.push({ parameter: 'at', message: problem })
  return null
}

/** Parses the groups of which alone the answer tells, into sorted keys; null is all of them. */
export function parseOnly(
  values: readonly string[] | null,
  groupBy: TrendGrouping | null,
  places: Places,
  errors: FieldError[],
): readonly string[] | null {
  if (values === null) return null
  const keys = new Set<string>()
  for (const value of values) {
    const found = groupBy === null ? { message: 'needs group_by' } : keyOf(value, groupBy, places)
    if (typeof found === 'string') keys.add(found)
    else {
      errors.push({ parameter: 'only', ...found })
      return null
    }
  }
  return [...keys].sort()
}

function keyOf(value: string, groupBy: TrendGrouping, places: Places): string | FieldError {
  if (groupBy === 'state') return codeIn(value, places.findState(value), 'is not a state of Nigeria')
  if (groupBy === 'lga') return codeIn(value, places.findLga(value, null), 'is not a local government area of Nigeria')
  const names = GROUP_NAMES[groupBy]
  return isOneOf(names, value) ? value : { message: `${quote(value)} is not a ${groupBy}`, ...nameHints(value, names) }
}

function codeIn(value: string, found: PlaceLookup<State | Lga>, message: string): string | FieldError {
  if (found.kind === 'found') return found.place.code
  if (found.kind === 'unknown') return { message: `${quote(value)} ${message}`, ...didYouMean(found.suggestions) }
  return {
    message: `${quote(value)} is in several states; give the code`,
    allowed: found.places.map(({ code }) => code),
  }
}
