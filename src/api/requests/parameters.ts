import type { FastifyRequest } from 'fastify'
import { type FieldError, invalidParameters } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import type { AreaShape, Filter } from '../../filter/filter/filter.ts'
import { FILTER_PARAMETERS, type FilterParameter } from '../../filter/filter/parameters.ts'
import { parseFilter } from '../../filter/filter/parse.ts'
import { parametersInQuery, type RawParameters } from '../../filter/filter/parsers/input.ts'
import { parseDecimal } from '../../lib/text.ts'
import type { Endpoint } from '../contract/endpoint.ts'

export interface Parameters<Name extends string> {
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
): Parameters<keyof Declared['query'] & string> {
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
