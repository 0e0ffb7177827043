import type { FieldError } from '../domain/errors.ts'
import type { Places } from '../domain/places.ts'
import { suggest } from '../lib/text/suggest.ts'
import { CALENDAR_UNITS, type CalendarUnit } from '../lib/time/calendar.ts'
import type { Filter } from './filter/filter.ts'
import { FILTER_PARAMETER_NAMES, type Parameter } from './filter/parameters.ts'
import { parseFilter } from './filter/parse.ts'
import { isOneOf, parametersInQuery } from './filter/parsers/input.ts'
import { quote } from './filter/parsers/reader.ts'
import { invalidParameters } from './listing.ts'

export const GROUPS = ['state', 'lga', 'type', 'category', 'severity', ...CALENDAR_UNITS] as const
export type Group = (typeof GROUPS)[number]

const MOST_GROUPS = 2

/** Which incidents to count, and by what. */
export interface Grouping {
  readonly groups: readonly Group[]
  readonly filter: Filter
}

export const GROUPING_PARAMETERS = {
  group_by: {
    description:
      'What to count by: one, or two separated by a comma, of which one may be a time. Times are UTC and by `published_at`, weeks begin on Monday (ISO 8601).',
    example: 'state,month',
    several: true,
    values: GROUPS,
    required: true,
  },
} as const satisfies Record<string, Parameter>

const NAMES = ['group_by', ...FILTER_PARAMETER_NAMES] as const

export function isTimeGroup(group: Group): group is CalendarUnit {
  return isOneOf(CALENDAR_UNITS, group)
}

export function parseGrouping(query: URLSearchParams, places: Places): Grouping {
  const given = parametersInQuery(query, NAMES)
  const filter = parseFilter(given as Parameters<typeof parseFilter>[0], places)
  const errors: FieldError[] = 'errors' in filter ? [...filter.errors] : []
  const groups = readGroups(given.values.get('group_by') ?? null, errors)
  if ('errors' in filter || errors.length > 0) throw invalidParameters(errors)
  return { groups, filter: filter.value }
}

function readGroups(parts: readonly string[] | null, errors: FieldError[]): readonly Group[] {
  const refuse = (message: string, more: Partial<FieldError> = {}) => {
    // One that is empty or given twice has its error already.
    if (!errors.some(({ parameter }) => parameter === 'group_by'))
      errors.push({ parameter: 'group_by', message, ...more })
    return []
  }
  if (parts === null) return refuse('is missing: what to count by, as state or state,month', { allowed: GROUPS })
  const strange = parts.find((part) => !isOneOf(GROUPS, part))
  if (strange !== undefined) {
    const near = suggest(strange, GROUPS)
    const more = near.length > 0 ? { did_you_mean: near } : { allowed: GROUPS }
    return refuse(`${quote(strange)} is nothing to count by`, more)
  }
  const groups = parts as readonly Group[]
  if (groups.length > MOST_GROUPS) return refuse(`takes one or two, not ${groups.length}`)
  if (groups[0] === groups[1]) return refuse(`names ${groups[0]} twice`)
  if (groups.filter(isTimeGroup).length > 1)
    return refuse(`takes one time, not both ${groups.join(' and ')}; give the finer one`)
  return groups
}
