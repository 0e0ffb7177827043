import type { FastifyRequest } from 'fastify'
import { type FieldError, invalidParameters, Problem } from '../../domain/errors.ts'
import { isIdentifier } from '../../domain/identifier.ts'
import type { Places } from '../../domain/places.ts'
import type { AreaShape, Filter } from '../../filter/filter.ts'
import {
  FILTER_PARAMETERS,
  type FilterParameter,
  parametersInQuery,
  parseLimit,
  type RawParameters,
} from '../../filter/parameters.ts'
import { parseFilter } from '../../filter/parse-filter.ts'
import type { PlaceScope } from '../../geo/finding/candidates.ts'
import { parseDecimal } from '../../lib/text.ts'
import type { Endpoint } from '../contract/endpoint.ts'

interface RequestParameters<Name extends string> {
  /** As the client wrote it; null if missing. */
  text(name: Name): string | null
  /** Parsed from the parameters that are filters. */
  readonly filter: Filter
}

/** Reads the declared parameters; throws a `Problem` for unknown, repeated or invalid ones. */
export function parametersOf<Declared extends Endpoint>(
  request: FastifyRequest,
  { query = {} }: Declared,
  places: Places,
  area: AreaShape | null = null,
): RequestParameters<keyof Declared['query'] & string> {
  const parameters = new URLSearchParams(queryOf(request))
  const given = parametersInQuery(parameters, Object.keys(query) as FilterParameter[])
  const parsed = parseFilter(query.q === FILTER_PARAMETERS.q ? given : withoutWords(given), places, area)
  if ('errors' in parsed) throw invalidParameters(parsed.errors)
  return { text: (name) => parameters.get(name), filter: parsed.value }
}

/**
 * Elsewhere `q` means other words than those of the summary: names of places, or what the desk
 * knows.
 */
function withoutWords({
  values,
  errors,
  at,
  suggestions,
}: RawParameters<FilterParameter>): RawParameters<FilterParameter> {
  return { values: new Map([...values].filter(([name]) => name !== 'q')), errors, at, suggestions }
}

/** Parses a number from -max to max; otherwise adds an error and returns null. */
export function parseNumber(name: string, text: string | null, max: number, errors: FieldError[]): number | null {
  const value = text === null ? null : parseDecimal(text)
  if (value !== null && Math.abs(value) <= max) return value
  errors.push({ parameter: name, message: text === null ? 'is missing' : `must be a number from ${-max} to ${max}` })
  return null
}

/** Without the question mark. */
export function queryOf(request: FastifyRequest): string {
  const start = request.raw.url!.indexOf('?')
  return start < 0 ? '' : request.raw.url!.slice(start + 1)
}

/** Parses `limit`; throws a `Problem` if it is not from 1 to `max`. */
export function pageSizeIn(text: string | null, max: number): number {
  const errors: FieldError[] = []
  const limit = parseLimit(text, max, errors)
  if (errors.length > 0) throw invalidParameters(errors)
  return limit
}

/** The cursor of a list by identifiers is the last one of the previous page. */
export function identifierCursor(noun: Parameters<typeof isIdentifier>[0], cursor: string | null): string | null {
  if (cursor !== null && !isIdentifier(noun, cursor)) throw invalidCursor()
  return cursor
}

/** Takes `limit + 1` fetched items; the extra one shows that another page follows. */
export function pageOf<Item, Response>(
  items: readonly Item[],
  limit: number,
  cursorOf: (last: Item) => string,
  toResponse: (item: Item) => Response,
) {
  const page = items.slice(0, limit)
  const more = items.length > limit
  return { data: page.map(toResponse), has_more: more, next_cursor: more ? cursorOf(page.at(-1)!) : null }
}

export function invalidCursor(): Problem {
  return new Problem('invalid_cursor', 'The cursor was not issued by this service; send next_cursor unchanged.')
}

const MAX_SEARCH_LENGTH = 200

export function parseSearch(text: string | null): string {
  if (text !== null && text.length <= MAX_SEARCH_LENGTH) return text
  const message =
    text === null ? 'is missing: give the name of a place' : `may have up to ${MAX_SEARCH_LENGTH} characters`
  throw invalidParameters([{ parameter: 'q', message }])
}

export function parseArea(states: readonly string[] | null, lgas: readonly string[] | null): PlaceScope {
  const errors: FieldError[] = []
  for (const [parameter, codes] of [
    ['state', states],
    ['lga', lgas],
  ] as const) {
    if (codes && codes.length > 1) errors.push({ parameter, message: 'takes one value here, not a list' })
  }
  if (errors.length > 0) throw invalidParameters(errors)
  return { ...(states?.[0] ? { state: states[0] } : {}), ...(lgas?.[0] ? { lga: lgas[0] } : {}) }
}

export function parsePoint(latText: string | null, lngText: string | null): [number, number] {
  const errors: FieldError[] = []
  const lat = parseNumber('lat', latText, 90, errors)
  const lng = parseNumber('lng', lngText, 180, errors)
  if (lat === null || lng === null) throw invalidParameters(errors)
  return [lat, lng]
}
