import { atPointer, type FieldError, invalidParameters } from '../domain/errors.ts'
import type { Places } from '../domain/places.ts'
import { FIELDS_PARAMETER, type IncidentField, parseFields } from './fields.ts'
import type { AreaShape, Filter } from './filter/filter.ts'
import { parseFilterObject } from './filter/filter-object.ts'
import { FILTER_PARAMETER_NAMES, type Parameter, PUBLIC_FILTER_PARAMETERS } from './filter/parameters.ts'
import { parseFilter } from './filter/parse.ts'
import { parametersInQuery } from './filter/parsers/input.ts'
import { FORMAT_NAMES, type FormatName } from './format.ts'
import { isOneOf, limitParameter, parseChoice, parseLimit } from './parameter-values.ts'

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
  /** The members of each incident to send; null for all. */
  readonly fields: readonly IncidentField[] | null
}

export const LIMIT_PARAMETER = limitParameter('Entries', MAX_LIMIT)

export const PAGING_PARAMETERS = {
  order: { description: 'The order by `published_at`.', example: 'newest', values: ORDERS },
  limit: LIMIT_PARAMETER,
  cursor: {
    description: 'The `next_cursor` of the previous page: opaque, and bound to its filters and order.',
    example: 'next_cursor',
  },
  format: { description: 'Overrides the `Accept` header.', example: 'geojson', values: FORMAT_NAMES },
  fields: FIELDS_PARAMETER,
} as const satisfies Record<string, Parameter>

export const FEED_PARAMETERS = { limit: LIMIT_PARAMETER } as const satisfies Record<string, Parameter>

const LIST_PARAMETER_NAMES: readonly string[] = [...FILTER_PARAMETER_NAMES, ...Object.keys(PAGING_PARAMETERS)]
/** Includes `key`, which the authenticator reads. */
export const FEED_PARAMETER_NAMES: readonly string[] = [
  ...Object.keys(PUBLIC_FILTER_PARAMETERS),
  ...Object.keys(FEED_PARAMETERS),
  'key',
]

const NOT_ON_MAP = ['q', 'area', 'sites', 'dataset', 'fields'] as const

/** For the public map, which draws what tiles can hold and has a control for each filter. */
export const MAP_PARAMETER_NAMES: readonly string[] = LIST_PARAMETER_NAMES.filter((name) => !isOneOf(NOT_ON_MAP, name))

/** Throws a `Problem` that names every error. `names` are the accepted parameters. */
export function parseListing(
  query: URLSearchParams,
  places: Places,
  names = LIST_PARAMETER_NAMES,
  area: AreaShape | null = null,
): Listing {
  const parameters = parametersInQuery(query, names)
  const filter = parseFilter(parameters as Parameters<typeof parseFilter>[0], places, area)
  const errors: FieldError[] = 'errors' in filter ? [...filter.errors] : []
  const fields = parseFields(parameters.values.get('fields') ?? null, errors)
  const paging = parsePaging((name) => query.get(name), errors)
  if ('errors' in filter || errors.length > 0) throw invalidParameters(errors)
  return { filter: filter.value, fields, ...paging }
}

/** Parses the same request from a JSON body, which may hold a polygon and a route too. */
export function parseListingBody(body: unknown, places: Places, area: AreaShape | null = null): Listing {
  const { filter, parameters } = parseFilterObject(body, '', places, LIST_PARAMETER_NAMES, area)
  const errors: FieldError[] = []
  const fields = parseFields(parameters.values.get('fields') ?? null, errors)
  const paging = parsePaging((name) => parameters.values.get(name)?.join() ?? null, errors)
  const all = [...('errors' in filter ? filter.errors : []), ...errors.map(atPointer)]
  if ('errors' in filter || all.length > 0) throw invalidParameters(all)
  return { filter: filter.value, fields, ...paging }
}

function parsePaging(text: (name: string) => string | null, errors: FieldError[]): Omit<Listing, 'filter' | 'fields'> {
  return {
    order: parseChoice('order', text('order'), ORDERS, errors) ?? 'newest',
    format: parseChoice('format', text('format'), FORMAT_NAMES, errors),
    limit: parseLimit(text('limit'), MAX_LIMIT, errors),
    cursor: text('cursor'),
  }
}
