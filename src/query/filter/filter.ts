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
 * Which incidents, in its one normal form: lists are sorted, without repeats and never empty; a list of everything is
 * null, as is whatever was not asked; category and minimum severity have become the types and severities they stand for.
 * Times are milliseconds, windows half-open.
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
  /** Region and route are drawn: a body can hold them, a query string cannot. */
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

/** A filter for what is still to come: it says nothing about time. */
export type LiveFilter = Filter & typeof NO_TIME

export const NO_TIME = {
  since: null,
  publishedFrom: null,
  publishedTo: null,
  occurredFrom: null,
  occurredTo: null,
} as const
