import type { FastifyRequest } from 'fastify'
import type { Endpoint } from '../../contract/endpoint.ts'
import { type FieldError, invalidParameters } from '../../domain/errors.ts'
import type { Places } from '../../domain/places.ts'
import type { Filter } from '../../query/filter/filter.ts'
import type { FilterParameter } from '../../query/filter/parameters.ts'
import { parseFilter } from '../../query/filter/parse.ts'
import { parametersInQuery } from '../../query/filter/parsers/input.ts'

export interface Parameters<Name extends string> {
  /** As it was written. */
  text(name: Name): string | null
  /** What those that are filters ask for. */
  readonly filter: Filter
}

/** An endpoint's own parameters; throws a `Problem` for what it does not declare, what is given twice, and filters that are wrong. */
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

/** A decimal number within bounds; null, and an error noted, where it is missing, malformed or beyond them. */
export function parseNumber(name: string, text: string | null, most: number, errors: FieldError[]): number | null {
  const value = text !== null && /^[+-]?\d{1,3}(\.\d{1,15})?$/.test(text) ? Number(text) : Number.NaN
  if (Math.abs(value) <= most) return value
  errors.push({ parameter: name, message: text === null ? 'is missing' : `must be a number from ${-most} to ${most}` })
  return null
}

/** The query string, without its question mark. */
export function queryOf(request: FastifyRequest): string {
  const start = request.raw.url!.indexOf('?')
  return start < 0 ? '' : request.raw.url!.slice(start + 1)
}
