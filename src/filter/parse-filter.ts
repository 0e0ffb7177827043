import { didYouMean, type FieldError, invalidParameters, nameHints } from '../domain/errors.ts'
import { isIdentifier } from '../domain/identifier.ts'
import { DATASET_NAME, NO_DATASET } from '../domain/incident.ts'
import type { Lga, PlaceLookup, Places, State } from '../domain/places.ts'
import {
  CATEGORY_NAMES,
  type IncidentType,
  SEVERITIES,
  type Severity,
  severitiesFrom,
  TYPE_NAMES,
  typesIn,
} from '../domain/taxonomy.ts'
import type { Box } from '../lib/geometry.ts'
import { parseTerms, phraseWords } from '../lib/search-terms.ts'
import { parseDecimal } from '../lib/text.ts'
import { type Duration, parseDuration, parseTime } from '../lib/time.ts'
import type { AreaShape, Circle, Filter } from './filter.ts'
import {
  CONFIDENCE,
  FILTER_PARAMETER_NAMES,
  type FilterInput,
  type FilterParameter,
  isOneOf,
  MAX_FOLLOWED,
  MAX_RADIUS_KM,
  parametersInObject,
  parametersInQuery,
  quote,
  type RawParameters,
} from './parameters.ts'
import { parseRegion, parseRoute, SHAPE_NAMES, ShapeError } from './parse-shapes.ts'

export type Parsed<Value> = { readonly value: Value } | { readonly errors: readonly FieldError[] }

/**
 * Parses a filter, or returns every error in it. `area` is the saved area or list of sites that it
 * names.
 */
export function parseFilter(
  parameters: RawParameters<FilterParameter>,
  places: Places,
  area: AreaShape | null = null,
): Parsed<Filter> {
  const errors = [...parameters.errors]
  const input: FilterInput = {
    list: (name) => parameters.values.get(name) ?? null,
    single(name) {
      const list = parameters.values.get(name)
      if (list && list.length > 1) return this.reject(name, 'takes one value, not a list')
      return list?.[0] ?? null
    },
    reject(name, message, hints) {
      errors.push({ ...parameters.at(name), message, ...parameters.suggestions.hintsFrom(hints) })
      return null
    },
  }
  const filter: Filter = {
    ...parsePlaces(input, places),
    types: parseTypes(input),
    severities: parseSeverities(input),
    ...parseConfidence(input),
    ...parsePublished(input),
    ...parseOccurred(input),
    datasets: parseDatasets(input),
    words: parseWords(input),
    box: parseBox(input),
    circle: parseCircle(input),
    region: null,
    route: null,
    sites: null,
    incidents: null,
    ...parseSaved(input, area),
  }
  return errors.length > 0 ? { errors } : { value: filter }
}

export interface FilterObject {
  readonly filter: Parsed<Filter>
  /** All members but the shapes, for an endpoint that takes more than filters. */
  readonly parameters: RawParameters<string>
}

/** Parses the filter in a query string; other names in `names` are left to the caller. */
export function parseFilterQuery(
  query: URLSearchParams,
  places: Places,
  names: readonly string[],
  area: AreaShape | null,
): FilterObject {
  const parameters = parametersInQuery<string>(query, names)
  return { parameters, filter: parseFilter(parameters as RawParameters<FilterParameter>, places, area) }
}

/** Adds the filter to a question, or throws a `Problem` that names the errors of both. */
export function withFilter<Question>(
  filter: Parsed<Filter>,
  errors: readonly FieldError[],
  question: Question,
): Question & { readonly filter: Filter } {
  const all = [...('errors' in filter ? filter.errors : []), ...errors]
  if ('errors' in filter || all.length > 0) throw invalidParameters(all)
  return { ...question, filter: filter.value }
}

type ParseShape<Shape> = (value: unknown, pointer: string, places: Places) => Shape

/**
 * Parses a filter written as a JSON object at `pointer` in the body: the filters of a query string
 * in `names`, several values as arrays, and the shapes, which only JSON can hold. Other names in
 * `names` are left to the caller. Throws a `Problem` at once for a list that is too long.
 */
export function parseFilterObject(
  object: unknown,
  pointer: string,
  places: Places,
  names: readonly string[] = FILTER_PARAMETER_NAMES,
  area: AreaShape | null = null,
): FilterObject {
  const { polygon, route, rest } = splitShapes(object)
  const parameters = parametersInObject<string>(rest, [...names, ...SHAPE_NAMES], pointer)
  const parsed = parseFilter(parameters as RawParameters<FilterParameter>, places, area)
  const errors: FieldError[] = 'errors' in parsed ? [...parsed.errors] : []
  const shapeOf = <Shape>(value: unknown, at: string, parse: ParseShape<Shape>): Shape | null => {
    if (value === undefined) return null
    try {
      return parse(value, at, places)
    } catch (error) {
      if (!(error instanceof ShapeError)) throw error
      errors.push(error.error)
      return null
    }
  }
  const shapes = {
    region: shapeOf(polygon, `${pointer}/polygon`, parseRegion),
    route: shapeOf(route, `${pointer}/route`, parseRoute),
  }
  if (area !== null && (shapes.region ?? shapes.route) !== null)
    errors.push({ pointer: `${pointer}/${area.sites === null ? 'area' : 'sites'}`, message: WITH_OTHER_SHAPES })
  const filter =
    'errors' in parsed || errors.length > 0 ? { errors } : { value: { ...parsed.value, ...shapes, ...area } }
  return { filter, parameters }
}

function splitShapes(object: unknown): { polygon?: unknown; route?: unknown; rest: unknown } {
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return { rest: object }
  const { polygon, route, ...rest } = object as Record<string, unknown>
  return { polygon, route, rest }
}

export function parsePlaces(input: FilterInput, places: Places): Pick<Filter, 'states' | 'lgas'> {
  const states = parseStates(input, places)
  return { states, lgas: parseLgas(input, places, states) }
}

function parseStates(input: FilterInput, places: Places): readonly string[] | null {
  const names = input.list('state')
  if (names === null) return null
  const codes = new Set<string>()
  for (const name of names) {
    const found = places.findState(name)
    if (found.kind === 'found') codes.add(found.place.code)
    else rejectState(input, name, found)
  }
  return codes.size === places.states.length ? null : [...codes].sort()
}

function rejectState(input: FilterInput, name: string, found: Exclude<PlaceLookup<State>, { kind: 'found' }>): void {
  input.reject('state', `${quote(name)} is not a state of Nigeria`, () =>
    didYouMean(found.kind === 'unknown' ? found.suggestions : found.places.map((place) => place.name)),
  )
}

function parseLgas(input: FilterInput, places: Places, states: readonly string[] | null): readonly string[] | null {
  const names = input.list('lga')
  if (names === null) return null
  const codes = new Set<string>()
  for (const name of names) {
    const found = places.findLga(name, states && states.length > 0 ? states : null)
    if (found.kind === 'found') codes.add(found.place.code)
    else rejectLga(input, name, found)
  }
  return [...codes].sort()
}

function rejectLga(input: FilterInput, name: string, found: Exclude<PlaceLookup<Lga>, { kind: 'found' }>): void {
  if (found.kind === 'unknown') {
    input.reject('lga', `${quote(name)} is not a local government area of Nigeria`, () => didYouMean(found.suggestions))
    return
  }
  const states = found.places.map((place) => place.state.name).join(' and ')
  const codes = found.places.map((place) => place.code)
  if (found.kind === 'ambiguous')
    input.reject('lga', `${quote(name)} is in ${states}; give state as well, or the code`, () => ({ allowed: codes }))
  else input.reject('lga', `${quote(name)} is in ${states}, not in the given state`, () => ({ did_you_mean: codes }))
}

export function parseTypes(input: FilterInput): readonly IncidentType[] | null {
  const types = parseNames(input, 'type', TYPE_NAMES)
  const ofCategories = parseNames(input, 'category', CATEGORY_NAMES)?.flatMap(typesIn) ?? null
  if (types?.length && ofCategories?.length && !types.some((type) => ofCategories.includes(type))) {
    return input.reject('type', `${types.join(', ')} is in none of the given categories; leave one of the two out`)
  }
  return intersect(TYPE_NAMES, types, ofCategories)
}

export function parseSeverities(input: FilterInput): readonly Severity[] | null {
  const severities = parseNames(input, 'severity', SEVERITIES)
  const least = input.single('min_severity')
  const atLeast =
    least === null ? null : (parseNames(input, 'min_severity', SEVERITIES)?.flatMap(severitiesFrom) ?? null)
  if (severities?.length && atLeast?.length && !severities.some((severity) => atLeast.includes(severity))) {
    return input.reject('severity', `${severities.join(', ')} is below min_severity; leave one of the two out`)
  }
  return intersect(SEVERITIES, severities, atLeast)
}

function parseNames<Name extends string>(
  input: FilterInput,
  parameter: FilterParameter,
  names: readonly Name[],
): readonly Name[] | null {
  const parts = input.list(parameter)
  if (parts === null) return null
  const known: Name[] = []
  for (const part of parts) {
    if (isOneOf(names, part)) {
      known.push(part)
      continue
    }
    input.reject(parameter, `${quote(part)} is not a ${parameter.replace('min_', '')}`, () => nameHints(part, names))
  }
  return known
}

/** Intersects the two lists, in the order of `all`; null where the result is all names. */
function intersect<Name extends string>(
  all: readonly Name[],
  one: readonly Name[] | null,
  other: readonly Name[] | null,
): readonly Name[] | null {
  const both = all.filter((name) => (one?.includes(name) ?? true) && (other?.includes(name) ?? true))
  return both.length === all.length ? null : both
}

export function parseConfidence(input: FilterInput): Pick<Filter, 'minConfidence' | 'maxConfidence'> {
  if (input.list('confidence') && input.list('min_confidence')) {
    input.reject('confidence', 'is the same as min_confidence; give one of the two')
  }
  const { minimum, maximum } = CONFIDENCE
  const min =
    parseWithin(input, 'min_confidence', minimum, maximum) ?? parseWithin(input, 'confidence', minimum, maximum)
  const max = parseWithin(input, 'max_confidence', minimum, maximum)
  if (min !== null && max !== null && min > max) input.reject('max_confidence', `is below min_confidence, ${min}`)
  return { minConfidence: min === 0 ? null : min, maxConfidence: max === 1 ? null : max }
}

export function parseBox(input: FilterInput): Box | null {
  const parts = input.list('bbox')
  if (parts === null) return null
  const [west, south, east, north] = parts.map(parseDecimal)
  if (parts.length !== 4 || west == null || south == null || east == null || north == null) {
    return input.reject('bbox', 'takes four numbers: west,south,east,north')
  }
  if (Math.abs(west) > 180 || Math.abs(east) > 180)
    return input.reject('bbox', 'west and east must lie between -180 and 180')
  if (Math.abs(south) > 90 || Math.abs(north) > 90)
    return input.reject('bbox', 'south and north must lie between -90 and 90')
  if (west > east)
    return input.reject('bbox', `west (${west}) is east of east (${east}); the order is west,south,east,north`)
  if (south > north)
    return input.reject('bbox', `south (${south}) is north of north (${north}); the order is west,south,east,north`)
  return { west, south, east, north }
}

export function parseCircle(input: FilterInput): Circle | null {
  const parts = input.list('near')
  const hasRadius = input.list('radius_km') !== null
  if (parts === null)
    return hasRadius ? input.reject('radius_km', 'needs near, the point to measure from, as lat,lng') : null
  if (!hasRadius) return input.reject('near', 'needs radius_km, the distance in kilometres')
  const [lat, lng] = parts.map(parseDecimal)
  if (parts.length !== 2 || lat == null || lng == null) return input.reject('near', 'takes two numbers: lat,lng')
  if (Math.abs(lat) > 90)
    return input.reject('near', `latitude ${lat} must lie between -90 and 90; the order is lat,lng`)
  if (Math.abs(lng) > 180) return input.reject('near', `longitude ${lng} must lie between -180 and 180`)
  const radiusKm = parseWithin(input, 'radius_km', 0, MAX_RADIUS_KM)
  if (radiusKm === 0) return input.reject('radius_km', 'must be above 0')
  return radiusKm === null ? null : { lat, lng, radiusKm }
}

function parseWithin(input: FilterInput, name: FilterParameter, least: number, most: number): number | null {
  const text = input.single(name)
  if (text === null) return null
  const value = parseDecimal(text)
  if (value !== null && value >= least && value <= most) return value
  return input.reject(name, `must be a number from ${least} to ${most}, not ${quote(text)}`)
}

const TAKES_TIME = 'takes an RFC 3339 time or a date, as 2026-05-01T12:00:00Z or 2026-05-01'

export function parsePublished(input: FilterInput): Pick<Filter, 'since' | 'publishedFrom' | 'publishedTo'> {
  const since = parseSince(input)
  for (const name of ['from', 'to'] as const) {
    if (input.list('since') && input.list(name))
      input.reject(name, 'cannot be combined with since; give one of the two')
  }
  const [from, to] = parseWindow(input, 'from', 'to')
  return {
    since: typeof since === 'object' ? since : null,
    publishedFrom: typeof since === 'number' ? since : from,
    publishedTo: to,
  }
}

export function parseOccurred(input: FilterInput): Pick<Filter, 'occurredFrom' | 'occurredTo'> {
  const [occurredFrom, occurredTo] = parseWindow(input, 'occurred_from', 'occurred_to')
  return { occurredFrom, occurredTo }
}

function parseSince(input: FilterInput): Duration | number | null {
  const text = input.single('since')
  if (text === null) return null
  return (
    parseDuration(text) ??
    parseTime(text) ??
    input.reject('since', `takes a count with m, h, d or w, as 24h, or an RFC 3339 time, not ${quote(text)}`)
  )
}

function parseWindow(
  input: FilterInput,
  first: FilterParameter,
  second: FilterParameter,
): [number | null, number | null] {
  const from = parseTimeOf(input, first)
  const to = parseTimeOf(input, second)
  if (from !== null && to !== null && from >= to) input.reject(second, `must be later than ${first}`)
  return [from, to]
}

function parseTimeOf(input: FilterInput, name: FilterParameter): number | null {
  const text = input.single(name)
  return text === null ? null : (parseTime(text) ?? input.reject(name, `${TAKES_TIME}, not ${quote(text)}`))
}

/**
 * Parses names of data sets. Any well-formed one is allowed: which there are depends on what was
 * imported.
 */
export function parseDatasets(input: FilterInput): readonly string[] | null {
  const names = input.list('dataset')?.map((name) => name.toLowerCase()) ?? null
  const wrong = names?.find((name) => name !== NO_DATASET && !DATASET_NAME.test(name))
  if (wrong !== undefined)
    return input.reject(
      'dataset',
      `${quote(wrong)} is not the name of a data set, such as ucdp or acled; ${NO_DATASET} is for incidents that were not imported`,
    )
  return names && [...new Set(names)].sort()
}

/** Each word may stand for all words that begin with it; those of phrases count too. */
export const MAX_WORDS = 8
export const MAX_WORDS_LENGTH = 200

/** Parses `q` into terms (`search-terms.ts`). Commas separate words as spaces do. */
export function parseWords(input: FilterInput): readonly string[] | null {
  const text = input.list('q')?.join(' ') ?? null
  if (text === null) return null
  if (text.length > MAX_WORDS_LENGTH) return input.reject('q', `is longer than ${MAX_WORDS_LENGTH} characters`)
  const parsed = parseTerms(text)
  if ('fault' in parsed) return input.reject('q', parsed.fault)
  const words = parsed.terms.flatMap((term) => phraseWords(term) ?? [term])
  if (words.length > MAX_WORDS) return input.reject('q', `has ${words.length} words; it takes up to ${MAX_WORDS}`)
  return parsed.terms
}

/**
 * Parses the ids of incidents that a watch follows: sorted and each once, null if none are given.
 * Which of them exist is for the caller to ask.
 */
export function parseIncidents(
  { values, at }: Pick<RawParameters<string>, 'values' | 'at'>,
  errors: FieldError[],
): readonly string[] | null {
  const given = values.get('incident')
  if (given === undefined) return null
  const wrong = given.find((id) => !isIdentifier('incident', id))
  const ids = [...new Set(given)].sort()
  if (wrong !== undefined)
    errors.push({ ...at('incident'), message: `${quote(wrong)} is not the id of an incident, such as inc_01jd8z0c5x…` })
  else if (ids.length > MAX_FOLLOWED)
    errors.push({ ...at('incident'), message: `has too many ids: one watch follows up to ${MAX_FOLLOWED} incidents` })
  return ids
}

export const WITH_OTHER_SHAPES = 'cannot be combined with near, polygon or route; give one of them'

/** The parameters that name what an account has saved. */
export const SAVED_PARAMETERS = ['area', 'sites'] as const
export type SavedParameter = (typeof SAVED_PARAMETERS)[number]

/**
 * Returns the shape of the area, or the sites of the list, that the filter names, as members of the
 * filter; none if it names none.
 */
export function parseSaved(input: FilterInput, shape: AreaShape | null): Partial<AreaShape> {
  const given = SAVED_PARAMETERS.filter((name) => input.single(name) !== null)
  const [name] = given
  if (name === undefined) return {}
  if (given.length > 1) input.reject('sites', 'cannot be combined with area; give one of them')
  else if (shape === null) input.reject(name, 'is not usable here')
  else if (input.list('near') !== null) input.reject(name, WITH_OTHER_SHAPES)
  return shape ?? {}
}
