import { type Incident, NO_DATASET, type Precision } from '../domain/incident.ts'
import type { IncidentType, Severity } from '../domain/taxonomy.ts'
import type { Box } from '../lib/geometry.ts'
import { type Duration, durationText } from '../lib/time.ts'
import { FILTER_PARAMETERS, INCIDENT_PARAMETER, type Parameter, type WatchParameter } from './parameters.ts'
import type { ShapeName } from './parse-shapes.ts'
import { positionsOf, type Region, type Route, regionGeometry } from './shapes.ts'
import type { SiteIndex } from './site-index.ts'

export interface Circle {
  readonly lat: number
  readonly lng: number
  readonly radiusKm: number
}

/**
 * Normal form: lists are sorted, unique, never empty and never complete; null is no restriction.
 * Categories and minimum severity are expanded. Times are milliseconds; windows are half-open.
 */
export interface FieldConditions {
  readonly states: readonly string[] | null
  readonly lgas: readonly string[] | null
  readonly types: readonly IncidentType[] | null
  readonly severities: readonly Severity[] | null
  readonly minConfidence: number | null
  readonly maxConfidence: number | null
  readonly since: Duration | null
  readonly publishedFrom: number | null
  readonly publishedTo: number | null
  readonly occurredFrom: number | null
  readonly occurredTo: number | null
  /** Names of data sets; `NO_DATASET` for incidents that come from none. */
  readonly datasets: readonly string[] | null
  /**
   * Words and phrases of the summary (`summaryHasTerms`), which `IndexedFields` does not have.
   */
  readonly words: readonly string[] | null
  readonly box: Box | null
  readonly circle: Circle | null
  /** Region and route come from a JSON body or a saved area; a query string cannot hold them. */
  readonly region: Region | null
  readonly route: Route | null
  /** The sites of a saved list, of which one must be near. */
  readonly sites: SiteIndex | null
}

/** For stored incidents: nobody asks for those by their ids here. */
export interface Filter extends FieldConditions {
  readonly incidents: null
}

/** The conditions that only stored incidents can be asked for. */
export const NOT_LIVE = {
  datasets: null,
  words: null,
  since: null,
  publishedFrom: null,
  publishedTo: null,
  occurredFrom: null,
  occurredTo: null,
} as const

export const EVERYTHING: Filter = {
  ...NOT_LIVE,
  ...{ states: null, lgas: null, types: null, severities: null, minConfidence: null, maxConfidence: null },
  ...{ box: null, circle: null, region: null, route: null, sites: null, incidents: null },
}

/** Either: what both have, and the incidents that only a `LiveFilter` may name. */
export type AnyFilter = FieldConditions & { readonly incidents: readonly string[] | null }

/** The shape of a saved area, or a saved list of sites: one of the four is given. */
export type AreaShape = Pick<Filter, 'circle' | 'region' | 'route' | 'sites'>

/**
 * Applies to incidents as they are published (watches, streams), so it has no time window and no
 * data sets, since imports are not sent; and to their indexed fields, so it has no words.
 */
export type StreamFilter = Filter & typeof NOT_LIVE

/**
 * The filter of a watch, which may also follow certain incidents. It is not a `Filter`: who asks
 * the archive must say what becomes of `incidents`.
 */
export type LiveFilter = AnyFilter & typeof NOT_LIVE

/** A row of the archive's columns: the fields that filters and statistics need. Times in ms. */
export interface IndexedFields {
  readonly publishedAt: number
  readonly occurredAt: number
  readonly state: string
  readonly lga: string | null
  readonly type: IncidentType
  readonly severity: Severity
  readonly confidence: number
  readonly lat: number
  readonly lng: number
  readonly precision: Precision
  /** `NO_DATASET` if it was not imported from one. */
  readonly dataset: string
  /** Null where the number is unknown, never 0. */
  readonly killed: number | null
  readonly injured: number | null
  readonly abducted: number | null
}

export function indexedFieldsOf(incident: Incident): IndexedFields {
  if (incident.published_at === null) throw new TypeError(`${incident.id} is not published`)
  return {
    publishedAt: Date.parse(incident.published_at),
    occurredAt: Date.parse(incident.occurred_at),
    state: incident.location.state_code,
    lga: incident.location.lga_code,
    type: incident.type,
    severity: incident.severity,
    confidence: incident.confidence,
    lat: incident.lat,
    lng: incident.lng,
    precision: incident.location.precision,
    dataset: incident.dataset ?? NO_DATASET,
    killed: incident.casualties.killed,
    injured: incident.casualties.injured,
    abducted: incident.casualties.abducted,
  }
}

type Value = readonly string[] | readonly number[] | string | number | Shape
type Shape = ReturnType<typeof regionGeometry> | { line: [number, number][]; buffer_km: number }

/**
 * Writes equal filters as equal objects: only the restrictions, in a fixed order. `parseFilter`
 * reads it back, or `parseWatchFilter` if it has a polygon, a route or incidents.
 */
export function canonicalObject(filter: AnyFilter): Partial<Record<WatchParameter | ShapeName, Value>> {
  const { box, circle, region, route, sites } = filter
  return withoutNulls({
    state: filter.states,
    lga: filter.lgas,
    type: filter.types,
    severity: filter.severities,
    min_confidence: filter.minConfidence,
    max_confidence: filter.maxConfidence,
    since: filter.since && durationText(filter.since),
    from: timeText(filter.publishedFrom),
    to: timeText(filter.publishedTo),
    occurred_from: timeText(filter.occurredFrom),
    occurred_to: timeText(filter.occurredTo),
    dataset: filter.datasets,
    incident: filter.incidents,
    // The shapes are last: a saved area replaces them.
    q: filter.words?.join(' ') ?? null,
    bbox: box && [box.west, box.south, box.east, box.north],
    near: circle && [circle.lat, circle.lng],
    radius_km: circle ? circle.radiusKm : null,
    polygon: region && regionGeometry(region),
    route: route && { line: positionsOf(route.line), buffer_km: route.bufferKm },
    // With its version: other sites are another filter.
    sites: sites === null ? null : sites.text,
  })
}

/** The canonical filter as a query string: the key of caches and of cursors. */
export function canonicalQuery(filter: AnyFilter): string {
  return Object.entries(canonicalObject(filter))
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(valueText(value)).replaceAll('%2C', ',').replaceAll('%3A', ':')}`,
    )
    .join('&')
}

function valueText(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  return Array.isArray(value) ? value.join(',') : JSON.stringify(value)
}

function timeText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

/**
 * A loop: every question that was not asked before comes here, and `Object.entries` costs twice as
 * much.
 */
function withoutNulls<Name extends string>(entries: Record<Name, Value | null>): Partial<Record<Name, Value>> {
  const kept: Partial<Record<Name, Value>> = {}
  for (const name in entries) {
    const value = entries[name]
    if (value !== null) kept[name] = value
  }
  return kept
}

/**
 * Writes a filter in the form that the contract declares. Parsing takes more: `"0.8"` for a number,
 * a list of one value for a value, and spaces around them.
 */
export function declaredForm(filter: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const parameters: Readonly<Record<string, Parameter | undefined>> = {
    ...FILTER_PARAMETERS,
    incident: INCIDENT_PARAMETER,
  }
  return Object.fromEntries(
    Object.entries(filter).map(([name, value]) => {
      const parameter = parameters[name]
      return [name, parameter === undefined ? value : declaredValue(parameter, value)]
    }),
  )
}

function declaredValue({ number, numbers, several }: Parameter, value: unknown): unknown {
  if (numbers !== undefined) return Array.isArray(value) ? value.map(Number) : value
  if (several) return Array.isArray(value) ? value.map((one) => String(one).trim()) : String(value)
  const single: unknown = Array.isArray(value) ? value[0] : value
  return number ? Number(single) : String(single).trim()
}
