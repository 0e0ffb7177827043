import type { IncidentType, Severity } from '../../domain/taxonomy.ts'
import type { Box } from '../../lib/geometry.ts'
import type { Duration } from '../../lib/time.ts'
import type { SiteIndex } from '../sites/site-index.ts'
import type { Region } from './region.ts'
import type { Route } from './route.ts'

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

export const EVERYTHING: Filter = {
  states: null,
  lgas: null,
  types: null,
  severities: null,
  minConfidence: null,
  maxConfidence: null,
  since: null,
  publishedFrom: null,
  publishedTo: null,
  occurredFrom: null,
  occurredTo: null,
  datasets: null,
  words: null,
  box: null,
  circle: null,
  region: null,
  route: null,
  sites: null,
  incidents: null,
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
