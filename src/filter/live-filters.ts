import type { FieldError } from '../domain/errors.ts'
import type { Places } from '../domain/places.ts'
import { type AreaShape, canonicalObject, type LiveFilter, NOT_LIVE, type StreamFilter } from './filter.ts'
import { PAGING_PARAMETERS } from './listing.ts'
import { FILTER_PARAMETER_NAMES, FILTER_PARAMETERS, INCIDENT_PARAMETER, isOneOf, type Parameter } from './parameters.ts'
import { type Parsed, parseFilterObject, parseFilterQuery, parseIncidents } from './parse-filter.ts'

export const TIME_PARAMETERS = ['since', 'from', 'to', 'occurred_from', 'occurred_to'] as const

const LIST_ONLY = [...TIME_PARAMETERS, 'q', 'dataset'] as const

/** The parameters of a `StreamFilter`: all but the times, the words and the data sets. */
export const LIVE_PARAMETER_NAMES = FILTER_PARAMETER_NAMES.filter((name) => !isOneOf(LIST_ONLY, name))

/** The parameters of a `LiveFilter`, which may also follow incidents. */
export const WATCH_FILTER_PARAMETERS: Readonly<Record<string, Parameter>> = {
  ...Object.fromEntries(LIVE_PARAMETER_NAMES.map((name) => [name, FILTER_PARAMETERS[name]])),
  incident: INCIDENT_PARAMETER,
}
const WATCH_PARAMETER_NAMES = Object.keys(WATCH_FILTER_PARAMETERS)

/** Parses a watch's filter, a JSON object at `pointer` in the body, or returns every error. */
export function parseWatchFilter(
  object: unknown,
  pointer: string,
  places: Places,
  area: AreaShape | null = null,
): Parsed<LiveFilter> {
  const { listOnly, rest } = splitListOnly(object)
  const { filter, parameters } = parseFilterObject(rest, pointer, places, WATCH_PARAMETER_NAMES, area)
  const errors: FieldError[] = 'errors' in filter ? [...filter.errors] : []
  const incidents = parseIncidents(parameters, errors)
  for (const name of listOnly) errors.push({ pointer: `${pointer}/${name}`, message: REASONS[name] ?? WITHOUT_TIME })
  if ('errors' in filter || errors.length > 0) return { errors }
  return { value: { ...filter.value, ...NOT_LIVE, incidents } }
}

const WITHOUT_TIME = 'is not allowed here: a watch receives only incidents published from now on; leave it out'

const REASONS: Readonly<Record<string, string>> = {
  q: 'is not allowed here: a watch matches by fields, not by words of the summary; leave it out',
  dataset: 'is not allowed here: imported history is not sent to watches; leave it out',
}

/** Separates what only a list takes, for a more helpful error. */
function splitListOnly(object: unknown): { listOnly: readonly string[]; rest: unknown } {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return { listOnly: [], rest: object }
  const isListOnly = (name: string) => isOneOf(LIST_ONLY, name)
  const rest = Object.fromEntries(Object.entries(object).filter(([name]) => !isListOnly(name)))
  return { listOnly: Object.keys(object).filter(isListOnly), rest }
}

/** Parameters of lists that a stream does not take, with the reason. */
const REFUSED_IN_STREAMS = new Map<string, string>([
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
  const refused = new Map([...REFUSED_IN_STREAMS, ['incident', WITHOUT_INCIDENTS]])
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
  return parseStanding(query, REFUSED_IN_STREAMS, ['incident', ...others], places, area)
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
  const { filter, parameters } = parseFilterQuery(rest, places, [...LIVE_PARAMETER_NAMES, ...others], area)
  if ('errors' in filter) errors.push(...filter.errors)
  const incidents = parseIncidents(parameters, errors)
  return 'errors' in filter || errors.length > 0 ? { errors } : { value: { ...filter.value, ...NOT_LIVE, incidents } }
}

/** The members that say where; one of them must be given. */
const AREA_NAMES = ['state', 'lga', 'near', 'bbox', 'polygon', 'route'] as const
const OTHER_NAMES = ['incident', 'radius_km', 'type', 'category', 'severity', 'min_severity'] as const
export const ALERT_FILTER_NAMES = [...AREA_NAMES, ...OTHER_NAMES] as const

/** Everybody may have some: a shape must not cost each event as much as that of an account. */
const MAX_TEXT_LENGTH = 4000

/**
 * The filter of an alert without an account: that of a watch, but only where, what and how severe,
 * or the one incident to follow.
 */
export function parseAlertFilter(given: unknown, pointer: string, places: Places): Parsed<LiveFilter> {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { errors: [{ pointer, message: 'must be an object that says where, such as {"state": ["Kaduna"]}' }] }
  const unknown = Object.keys(given).filter((name) => !isOneOf(ALERT_FILTER_NAMES, name))
  const errors: FieldError[] = unknown
    .slice(0, 10)
    .map((name) => ({ pointer: `${pointer}/${name.slice(0, 100)}`, message: NOT_HERE }))
  if (errors.length > 0) return { errors }
  const isFollowing = 'incident' in given
  if (isFollowing && Object.keys(given).length > 1)
    return { errors: [{ pointer: `${pointer}/incident`, message: 'stands alone in an alert; leave the rest out' }] }
  if (!isFollowing && !AREA_NAMES.some((name) => name in given))
    return { errors: [{ pointer, message: `must say where: one of ${AREA_NAMES.join(', ')}; or which incident` }] }
  const parsed = parseWatchFilter(given, pointer, places)
  if ('errors' in parsed) return parsed
  if ((parsed.value.incidents?.length ?? 0) > 1)
    return { errors: [{ pointer: `${pointer}/incident`, message: 'must be one incident: ask once for each' }] }
  if (!isFollowing && !isSomewhere(parsed.value))
    return { errors: [{ pointer, message: 'must not be all of Nigeria' }] }
  if (JSON.stringify(canonicalObject(parsed.value)).length > MAX_TEXT_LENGTH)
    return { errors: [{ pointer, message: 'has too many positions or places for an alert: about 100 fit' }] }
  return parsed
}

const NOT_HERE = `is not a filter of alerts; known are ${ALERT_FILTER_NAMES.join(', ')}`

/** A list of all states is no restriction. */
function isSomewhere({ states, lgas, box, circle, region, route }: LiveFilter): boolean {
  return [states, lgas, box, circle, region, route].some((part) => part !== null)
}
