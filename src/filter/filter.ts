import { type Incident, NO_DATASET, type Precision } from '../domain/incident.ts'
import type { IncidentType, Severity } from '../domain/taxonomy.ts'
import type { Box } from '../lib/geometry.ts'
import type { Duration } from '../lib/time.ts'
import type { Region, Route } from './shapes.ts'
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
   * Folded words of which each must begin a word of the summary, which `IndexedFields` does not
   * have.
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
