import { atPointer, type FieldError, invalidParameters } from '../domain/errors.ts'
import type { Places } from '../domain/places.ts'
import type { Filter } from './filter/filter.ts'
import { parseFilterObject } from './filter/filter-object.ts'
import { FILTER_PARAMETER_NAMES, type Parameter } from './filter/parameters.ts'
import { parseFilter } from './filter/parse.ts'
import { parametersInQuery } from './filter/parsers/input.ts'
import { FORMAT_NAMES, type FormatName } from './format.ts'
import { DEFAULT_LIMIT, parseChoice, parseLimit } from './parameter-values.ts'

export const ORDERS = ['newest', 'oldest'] as const
export type Order = (typeof ORDERS)[number]

export const MAX_LIMIT = 1000

/** A request for one page of incidents. */
export interface Listing {
  readonly filter: Filter
  readonly order: Order
  readonly limit: number
  readonly cursor: string | null
  /** Null where the `Accept` header decides. */
  readonly format: FormatName | null
}

export const LIMIT_PARAMETER = {
  description: `Entries per page, from 1 to ${MAX_LIMIT}; the default is ${DEFAULT_LIMIT}.`,
  example: '50',
} as const satisfies Parameter

export const PAGING_PARAMETERS = {
  order: { description: 'The order by `published_at`.', example: 'newest', values: ORDERS },
  limit: LIMIT_PARAMETER,
  cursor: {
    description: 'The `next_cursor` of the previous page: opaque, and bound to its filters and order.',
    example: 'next_cursor',
  },
  format: { description: 'Overrides the `Accept` header.', example: 'geojson', values: FORMAT_NAMES },
} as const satisfies Record<string, Parameter>

export const FEED_PARAMETERS = { limit: LIMIT_PARAMETER } as const satisfies Record<string, Parameter>

const LIST_PARAMETER_NAMES: readonly string[] = [...FILTER_PARAMETER_NAMES, ...Object.keys(PAGING_PARAMETERS)]
/** Includes `key`, which the authenticator reads. */
export const FEED_PARAMETER_NAMES: readonly string[] = [
  ...FILTER_PARAMETER_NAMES,
  ...Object.keys(FEED_PARAMETERS),
  'key',
]

/** Throws a `Problem` that names every error. `names` are the accepted parameters. */
export function parseListing(query: URLSearchParams, places: Places, names = LIST_PARAMETER_NAMES): Listing {
  const parameters = parametersInQuery(query, names)
  const filter = parseFilter(parameters as Parameters<typeof parseFilter>[0], places)
  const errors: FieldError[] = 'errors' in filter ? [...filter.errors] : []
  const paging = parsePaging((name) => query.get(name), errors)
  if ('errors' in filter || errors.length > 0) throw invalidParameters(errors)
  return { filter: filter.value, ...paging }
}

/** Parses the same request from a JSON body, which may hold a polygon and a route too. */
export function parseListingBody(body: unknown, places: Places): Listing {
  const { filter, parameters } = parseFilterObject(body, '', places, LIST_PARAMETER_NAMES)
  const errors: FieldError[] = []
  const paging = parsePaging((name) => parameters.values.get(name)?.join() ?? null, errors)
  const all = [...('errors' in filter ? filter.errors : []), ...errors.map(atPointer)]
  if ('errors' in filter || all.length > 0) throw invalidParameters(all)
  return { filter: filter.value, ...paging }
}

function parsePaging(text: (name: string) => string | null, errors: FieldError[]): Omit<Listing, 'filter'> {
  return {
    order: parseChoice('order', text('order'), ORDERS, errors) ?? 'newest',
    format: parseChoice('format', text('format'), FORMAT_NAMES, errors),
    limit: parseLimit(text('limit'), MAX_LIMIT, errors),
    cursor: text('cursor'),
  }
}
