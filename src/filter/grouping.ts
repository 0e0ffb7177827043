import { atPointer, type FieldError, nameHints } from '../domain/errors.ts'
import type { Places } from '../domain/places.ts'
import { CALENDAR_UNITS, type CalendarUnit, TIME_ZONES, type TimeZone } from '../lib/calendar.ts'
import type { AreaShape, Filter } from './filter.ts'
import {
  FILTER_PARAMETER_NAMES,
  isOneOf,
  type Parameter,
  parseChoice,
  quote,
  type RawParameters,
} from './parameters.ts'
import { type FilterObject, parseFilterObject, parseFilterQuery, withFilter } from './parse-filter.ts'

export const GROUPS = ['state', 'lga', 'type', 'category', 'severity', ...CALENDAR_UNITS] as const
export type Group = (typeof GROUPS)[number]

const MAX_GROUPS = 2

/** A request for counts of incidents by one or two groups. */
export interface Grouping {
  readonly groups: readonly Group[]
  /** The time zone whose hours, days, weeks, months and years are counted. */
  readonly timeZone: TimeZone
  readonly filter: Filter
}

export const GROUPING_PARAMETERS = {
  group_by: {
    description:
      'The groups to count by: one, or two separated by a comma, of which one may be a unit of time. Times are by `published_at`, in `time_zone`; weeks begin on Monday (ISO 8601).',
    example: 'state,month',
    several: true,
    values: GROUPS,
    required: true,
  },
  time_zone: {
    description:
      'The time zone in which hours, days, weeks, months and years begin: `UTC` (the default) or `Africa/Lagos`, which is UTC+1 all year. It applies to `group_by` only: give `from` and `to` with their offset.',
    example: 'Africa/Lagos',
    values: TIME_ZONES,
  },
} as const satisfies Record<string, Parameter>

const NAMES = ['group_by', 'time_zone', ...FILTER_PARAMETER_NAMES] as const

export function isTimeGroup(group: Group): group is CalendarUnit {
  return isOneOf(CALENDAR_UNITS, group)
}

export function parseGrouping(query: URLSearchParams, places: Places, area: AreaShape | null = null): Grouping {
  const asked = parseFilterQuery(query, places, NAMES, area)
  return groupingFrom(asked, query.get('time_zone'), (error) => error)
}

/** Parses the same request from a JSON body, which may hold a polygon and a route too. */
export function parseGroupingBody(body: unknown, places: Places, area: AreaShape | null = null): Grouping {
  const asked = parseFilterObject(body, '', places, NAMES, area)
  return groupingFrom(asked, asked.parameters.values.get('time_zone')?.join() ?? null, atPointer)
}

function groupingFrom(
  { filter, parameters }: FilterObject,
  zone: string | null,
  locate: (error: FieldError) => FieldError,
): Grouping {
  const errors: FieldError[] = []
  const groups = parseGroups(parameters, errors)
  const timeZone = parseChoice('time_zone', zone, TIME_ZONES, errors) ?? 'UTC'
  return withFilter(filter, errors.map(locate), { groups, timeZone })
}

function parseGroups({ values, errors: earlier }: RawParameters<string>, errors: FieldError[]): readonly Group[] {
  const parts = values.get('group_by')
  const reject = (message: string, hints: Partial<FieldError> = {}) => {
    // An empty or repeated parameter already has its error.
    if (!earlier.some(({ parameter }) => parameter === 'group_by'))
      errors.push({ parameter: 'group_by', message, ...hints })
    return []
  }
  if (parts === undefined)
    return reject('is missing; give one or two groups to count by, as state or state,month', { allowed: GROUPS })
  const unknown = parts.find((part) => !isOneOf(GROUPS, part))
  if (unknown !== undefined) {
    return reject(`${quote(unknown)} is not a group to count by`, nameHints(unknown, GROUPS))
  }
  const groups = parts as readonly Group[]
  if (groups.length > MAX_GROUPS) return reject(`takes one or two groups, not ${groups.length}`)
  if (groups[0] === groups[1]) return reject(`names ${groups[0]} twice`)
  if (groups.filter(isTimeGroup).length > 1)
    return reject(`takes one unit of time, not both ${groups.join(' and ')}; give the finer one`)
  return groups
}
