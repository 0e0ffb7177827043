import type { FieldError } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import { PAGING_PARAMETERS } from '../listing.ts'
import { type LiveFilter, NO_TIME } from './filter.ts'
import { type Parsed, parseFilter } from './parse.ts'
import { parametersInQuery } from './parsers/input.ts'
import { LIVE_PARAMETER_NAMES, TIME_PARAMETERS } from './watch-filter.ts'

const OF_LISTS_ALONE = new Map<string, string>([
  ...TIME_PARAMETERS.map((name) => [name, 'a stream tells of what is published from now on'] as const),
  ...Object.keys(PAGING_PARAMETERS).map((name) => [name, 'a stream has no pages and one format'] as const),
])

/** Understands a stream's query, which may hold the parameters `others` as well, or says everything that is wrong with it. */
export function parseStreamFilter(
  query: URLSearchParams,
  others: readonly string[],
  places: Places,
): Parsed<LiveFilter> {
  const errors: FieldError[] = []
  const rest = new URLSearchParams(query)
  for (const [parameter, reason] of OF_LISTS_ALONE) {
    if (query.has(parameter)) errors.push({ parameter, message: `has no place here: ${reason}; leave it out` })
    rest.delete(parameter)
  }
  const given = parametersInQuery(rest, [...LIVE_PARAMETER_NAMES, ...others])
  const filter = parseFilter(given as Parameters<typeof parseFilter>[0], places)
  if ('errors' in filter) errors.push(...filter.errors)
  return 'errors' in filter || errors.length > 0 ? { errors } : { value: { ...filter.value, ...NO_TIME } }
}
