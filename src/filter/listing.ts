import { atPointer, type FieldError, nameHints } from '../domain/errors.ts'
import { INCIDENT_MEMBERS, type Incident } from '../domain/incident.ts'
import type { Places } from '../domain/places.ts'
import type { AreaShape, Filter } from './filter.ts'
import {
  FILTER_PARAMETER_NAMES,
  isOneOf,
  limitParameter,
  type Parameter,
  PUBLIC_FILTER_PARAMETERS,
  parseChoice,
  parseLimit,
  quote,
  type RawParameters,
} from './parameters.ts'
import { parseFilterObject, parseFilterQuery, withFilter } from './parse-filter.ts'

/** Formats of incidents with their media types; the first is the default. */
export const FORMATS = {
  json: 'application/json',
  geojson: 'application/geo+json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
} as const
export type FormatName = keyof typeof FORMATS

export const FORMAT_NAMES = Object.keys(FORMATS) as readonly FormatName[]

/** The members of a public incident, in the order of the wire. */
export const INCIDENT_FIELDS = INCIDENT_MEMBERS.filter((member) => member !== 'merged_into')
export type IncidentField = (typeof INCIDENT_FIELDS)[number]

export const FIELDS_PARAMETER = {
  description:
    'Only these members of each incident, and `id`. In CSV and GeoJSON they are the columns that the members become; a feature keeps its geometry.',
  example: 'type,severity,summary',
  several: true,
  values: INCIDENT_FIELDS,
} as const satisfies Parameter

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
  const errors: FieldError[] = []
  const { filter, parameters } = parseFilterQuery(query, places, names, area)
  const page = parsePage(parameters, (name) => query.get(name), errors)
  return withFilter(filter, errors, page)
}

/** Parses the same request from a JSON body, which may hold a polygon and a route too. */
export function parseListingBody(body: unknown, places: Places, area: AreaShape | null = null): Listing {
  const errors: FieldError[] = []
  const { filter, parameters } = parseFilterObject(body, '', places, LIST_PARAMETER_NAMES, area)
  const page = parsePage(parameters, (name) => parameters.values.get(name)?.join() ?? null, errors)
  return withFilter(filter, errors.map(atPointer), page)
}

function parsePage(
  { values }: RawParameters<string>,
  text: (name: string) => string | null,
  errors: FieldError[],
): Omit<Listing, 'filter'> {
  return {
    fields: parseFields(values.get('fields') ?? null, errors),
    order: parseChoice('order', text('order'), ORDERS, errors) ?? 'newest',
    format: parseChoice('format', text('format'), FORMAT_NAMES, errors),
    limit: parseLimit(text('limit'), MAX_LIMIT, errors),
    cursor: text('cursor'),
  }
}

/** Wrong names that get an error of their own; each costs a search for similar ones. */
const MAX_ERRORS = 5

/**
 * Returns the chosen members in the order of the wire, with `id`; null for all. Adds an error for
 * each wrong name.
 */
export function parseFields(names: readonly string[] | null, errors: FieldError[]): readonly IncidentField[] | null {
  if (names === null) return null
  const unknown = [...new Set(names)].filter((name) => !isOneOf(INCIDENT_FIELDS, name))
  for (const name of unknown.slice(0, MAX_ERRORS))
    errors.push({
      parameter: 'fields',
      message: `${quote(name)} is not a member of an incident`,
      ...nameHints(name, INCIDENT_FIELDS),
    })
  const chosen = INCIDENT_FIELDS.filter((field) => field === 'id' || names.includes(field))
  return chosen.length === INCIDENT_FIELDS.length ? null : chosen
}

export function pickFields(incident: Incident, fields: readonly IncidentField[]): Partial<Incident> {
  return Object.fromEntries(fields.filter((field) => field in incident).map((field) => [field, incident[field]]))
}
