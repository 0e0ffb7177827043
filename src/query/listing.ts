import { type FieldError, Problem } from '../domain/errors.ts'
import type { Places } from '../domain/places.ts'
import { suggest } from '../lib/text/suggest.ts'
import type { Filter } from './filter/filter.ts'
import { FILTER_PARAMETER_NAMES, type Parameter } from './filter/parameters.ts'
import { parseFilter } from './filter/parse.ts'
import { isOneOf, parametersInQuery } from './filter/parsers/input.ts'
import { FORMAT_NAMES, type FormatName } from './format.ts'

export const ORDERS = ['newest', 'oldest'] as const
export type Order = (typeof ORDERS)[number]

export const DEFAULT_LIMIT = 50
export const MOST_LIMIT = 1000

/** Which incidents, in which order, how many, and after which. */
export interface Listing {
  readonly filter: Filter
  readonly order: Order
  readonly limit: number
  readonly cursor: string | null
  /** Null where the request's headers decide. */
  readonly format: FormatName | null
}

export const LIMIT_PARAMETER = {
  description: `Entries a page, from 1 to ${MOST_LIMIT}; ${DEFAULT_LIMIT} where not given.`,
  example: '50',
} as const satisfies Parameter

export const PAGING_PARAMETERS = {
  order: { description: 'By `published_at`.', example: 'newest', values: ORDERS },
  limit: LIMIT_PARAMETER,
  cursor: {
    description: 'The `next_cursor` of the page before; opaque, and bound to its filters and order.',
    example: 'next_cursor',
  },
  format: { description: 'Goes before the `Accept` header.', example: 'geojson', values: FORMAT_NAMES },
} as const satisfies Record<string, Parameter>

export const FEED_PARAMETERS = { limit: LIMIT_PARAMETER } as const satisfies Record<string, Parameter>

const LIST_NAMES: readonly string[] = [...FILTER_PARAMETER_NAMES, ...Object.keys(PAGING_PARAMETERS)]
/** `key` is the door's to read. */
export const FEED_PARAMETER_NAMES: readonly string[] = [
  ...FILTER_PARAMETER_NAMES,
  ...Object.keys(FEED_PARAMETERS),
  'key',
]

/** `names` are the parameters taken; the others of a listing are as if not given. */
export function parseListing(query: URLSearchParams, places: Places, names = LIST_NAMES): Listing {
  const given = parametersInQuery(query, names)
  const filter = parseFilter(given as Parameters<typeof parseFilter>[0], places)
  const errors: FieldError[] = 'errors' in filter ? [...filter.errors] : []
  const order = readChoice('order', query.get('order'), ORDERS, errors) ?? 'newest'
  const format = readChoice('format', query.get('format'), FORMAT_NAMES, errors)
  const limit = readLimit(query.get('limit'), errors)
  if ('errors' in filter || errors.length > 0) throw invalidParameters(errors)
  return { filter: filter.value, order, limit, cursor: query.get('cursor'), format }
}

export function invalidParameters(errors: readonly FieldError[]): Problem {
  const named = errors.map((error) => `${error.parameter} ${error.message}`)
  return new Problem('invalid_parameter', `${named.join('; ')}.`, { errors })
}

function readChoice<Value extends string>(
  parameter: string,
  text: string | null,
  values: readonly Value[],
  errors: FieldError[],
): Value | null {
  if (text === null || text.trim() === '') return null
  if (isOneOf(values, text)) return text
  const near = suggest(text, values)
  errors.push({
    parameter,
    message: `must be one of ${values.join(', ')}`,
    ...(near.length > 0 ? { did_you_mean: near } : { allowed: values }),
  })
  return null
}

/** The page size; an error is noted where it is wrong. */
export function readLimit(text: string | null, errors: FieldError[]): number {
  if (text === null || text.trim() === '') return DEFAULT_LIMIT
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= MOST_LIMIT) return limit
  errors.push({ parameter: 'limit', message: `must be a whole number from 1 to ${MOST_LIMIT}` })
  return DEFAULT_LIMIT
}
