import type { FieldError } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import { PAGING_PARAMETERS } from '../listing.ts'
import { type AreaShape, type LiveFilter, NOT_LIVE, type StreamFilter } from './filter.ts'
import { type Parsed, parseFilter } from './parse.ts'
import { parseIncidents } from './parsers/incidents.ts'
import { parametersInQuery } from './parsers/input.ts'
import { LIVE_PARAMETER_NAMES, TIME_PARAMETERS } from './watch-filter.ts'

/** Parameters of lists that a stream does not take, with the reason. */
const LIST_ONLY = new Map<string, string>([
  ['q', 'a stream matches by fields, not by words of the summary'],
  ['dataset', 'a stream has no imported history'],
  ...TIME_PARAMETERS.map((name) => [name, 'a stream sends only incidents published from now on'] as const),
  ...Object.keys(PAGING_PARAMETERS).map(
    (name) => [name, 'a stream has no pages, one format and whole incidents'] as const,
  ),
])

const WITHOUT_INCIDENTS = 'a stream has no single incidents; follow one with a watch, or listen with GET /v1/listen'

/** Parses the filter in a stream's query, which may also hold the parameters `others`. */
export function parseStreamFilter(
  query: URLSearchParams,
  others: readonly string[],
  places: Places,
  area: AreaShape | null = null,
): Parsed<StreamFilter> {
  const refused = new Map([...LIST_ONLY, ['incident', WITHOUT_INCIDENTS]])
  const parsed = parseStanding(query, refused, others, places, area)
  return 'errors' in parsed ? parsed : { value: { ...parsed.value, incidents: null } }
}

/** Parses the filter of somebody who listens to what a watch with it would send. */
export function parseListenFilter(
  query: URLSearchParams,
  others: readonly string[],
  places: Places,
  area: AreaShape | null = null,
): Parsed<LiveFilter> {
  return parseStanding(query, LIST_ONLY, ['incident', ...others], places, area)
}

/** `refused` are parameters that are not taken, with the reason. */
function parseStanding(
  query: URLSearchParams,
  refused: ReadonlyMap<string, string>,
  others: readonly string[],
  places: Places,
  area: AreaShape | null,
): Parsed<LiveFilter> {
  const errors: FieldError[] = []
  const rest = new URLSearchParams(query)
  for (const [parameter, reason] of refused) {
    if (query.has(parameter)) errors.push({ parameter, message: `is not allowed here: ${reason}; leave it out` })
    rest.delete(parameter)
  }
  // Elsewhere the name takes one value, so it is no list by itself.
  if (rest.has('incident')) rest.set('incident', rest.getAll('incident').join(','))
  const parameters = parametersInQuery<string>(rest, [...LIVE_PARAMETER_NAMES, ...others])
  const filter = parseFilter(parameters as Parameters<typeof parseFilter>[0], places, area)
  if ('errors' in filter) errors.push(...filter.errors)
  const incidents = parseIncidents(parameters, errors)
  return 'errors' in filter || errors.length > 0 ? { errors } : { value: { ...filter.value, ...NOT_LIVE, incidents } }
}
