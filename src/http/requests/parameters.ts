import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type FieldError, invalidParameters } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import type { Filter } from '../../query/filter/filter.ts'
import type { FilterParameter } from '../../query/filter/parameters.ts'
import { parseFilter } from '../../query/filter/parse.ts'
import { parametersInQuery } from '../../query/filter/parsers/input.ts'

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
): Parameters<keyof Declared['query'] & string> {
  const parameters = new URLSearchParams(queryOf(request))
  const parsed = parseFilter(parametersInQuery(parameters, Object.keys(query) as FilterParameter[]), places)
  if ('errors' in parsed) throw invalidParameters(parsed.errors)
  return { text: (name) => parameters.get(name), filter: parsed.value }
}

/** Parses a number from -max to max; otherwise adds an error and returns null. */
export function parseNumber(name: string, text: string | null, max: number, errors: FieldError[]): number | null {
  const value = text !== null && /^[+-]?\d{1,3}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN
  if (Math.abs(value) <= max) return value
  errors.push({ parameter: name, message: text === null ? 'is missing' : `must be a number from ${-max} to ${max}` })
  return null
}

/** Without the question mark. */
export function queryOf(request: FastifyRequest): string {
  const start = request.raw.url!.indexOf('?')
  return start < 0 ? '' : request.raw.url!.slice(start + 1)
}
