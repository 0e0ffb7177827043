import type { IncidentType, Severity } from '../../domain/taxonomy.ts'
import type { Box } from '../../lib/geometry/geometry.ts'
import type { Duration } from '../../lib/time/time.ts'
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
export interface Filter {
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
  readonly box: Box | null
  readonly circle: Circle | null
  /** Region and route come from a JSON body; a query string cannot hold them. */
  readonly region: Region | null
  readonly route: Route | null
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
  box: null,
  circle: null,
  region: null,
  route: null,
}

/** Applies to incidents as they are published (watches, streams), so it has no time window. */
export type LiveFilter = Filter & typeof NO_TIME

export const NO_TIME = {
  since: null,
  publishedFrom: null,
  publishedTo: null,
  occurredFrom: null,
  occurredTo: null,
} as const
