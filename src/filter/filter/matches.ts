import { type Box, boxAround, distanceKm, isInBox, KM_PER_DEGREE } from '../../lib/geometry.ts'
import { durationMs } from '../../lib/time.ts'
import type { IndexedFields } from '../indexed-fields.ts'
import type { FieldConditions, Filter, LiveFilter } from './filter.ts'
import { inRegion } from './region.ts'
import { nearRoute } from './route.ts'

/** Start of the window on `published_at`; `since` is relative to `now`. */
export function publishedFrom(filter: FieldConditions, now: number): number {
  return filter.since ? now - durationMs(filter.since) : (filter.publishedFrom ?? Number.NEGATIVE_INFINITY)
}

/** Defines the meaning of a filter; property tests compare every faster implementation with it. */
export function matches(filter: Filter, fields: IndexedFields, now: number): boolean {
  return matchesFields(filter, fields, now)
}

/**
 * `ids` are the incident's own and those of the incidents that were merged into it: who follows one
 * of them follows what became of it.
 */
export function matchesLive(filter: LiveFilter, fields: IndexedFields, ids: readonly string[]): boolean {
  return follows(filter, ids) && matchesFields(filter, fields, fields.publishedAt)
}

/** Whether the filter leaves open which incidents it is about, or names one of these. */
export function follows({ incidents }: LiveFilter, ids: readonly string[]): boolean {
  return incidents === null || ids.some((id) => incidents.includes(id))
}

/** All conditions but those on ids. */
export function matchesFields(filter: FieldConditions, fields: IndexedFields, now: number): boolean {
  return (
    isAllowed(filter.states, fields.state) &&
    isAllowed(filter.lgas, fields.lga) &&
    isAllowed(filter.types, fields.type) &&
    isAllowed(filter.severities, fields.severity) &&
    fields.confidence >= (filter.minConfidence ?? 0) &&
    fields.confidence <= (filter.maxConfidence ?? 1) &&
    fields.publishedAt >= publishedFrom(filter, now) &&
    fields.publishedAt < (filter.publishedTo ?? Number.POSITIVE_INFINITY) &&
    fields.occurredAt >= (filter.occurredFrom ?? Number.NEGATIVE_INFINITY) &&
    fields.occurredAt < (filter.occurredTo ?? Number.POSITIVE_INFINITY) &&
    isAllowed(filter.datasets, fields.dataset) &&
    matchesArea(filter, fields.lat, fields.lng)
  )
}

type Shapes = Pick<FieldConditions, 'box' | 'circle' | 'region' | 'route' | 'sites'>

/** Tests the restrictions on coordinates: box, circle, region, route and sites. */
export function matchesArea({ box, circle, region, route, sites }: Shapes, lat: number, lng: number): boolean {
  return (
    (box === null || isInBox(box, lat, lng)) &&
    (circle === null || inCircle(circle, lat, lng)) &&
    (region === null || inRegion(region, lat, lng)) &&
    (route === null || nearRoute(route, lat, lng)) &&
    (sites === null || sites.has(lat, lng))
  )
}

/** A box around all matches, to find candidates; null if coordinates are not restricted. */
export function boundingBoxOf({ box, circle, region, route, sites }: Shapes): Box | null {
  return (
    box ?? (circle && boxAround(circle.lat, circle.lng, circle.radiusKm)) ?? (region ?? route ?? sites)?.box ?? null
  )
}

export function inCircle(circle: NonNullable<Filter['circle']>, lat: number, lng: number): boolean {
  const certain = surelyInCircle(circle, lat, lng)
  return certain === null ? distanceKm(circle.lat, circle.lng, lat, lng) <= circle.radiusKm : certain
}

const DEGREE = Math.PI / 180
/** Exceeds the plane's relative error in squared distance, below `MAX_LATITUDE` and 500 km. */
const PLANE_ERROR = 0.02
const MAX_LATITUDE = 60

/** Decides on a plane, at a third of a great circle's cost; null near the edge: too inexact. */
function surelyInCircle(circle: NonNullable<Filter['circle']>, lat: number, lng: number): boolean | null {
  if (Math.abs(circle.lat) > MAX_LATITUDE || Math.abs(lat) > MAX_LATITUDE || Math.abs(lng - circle.lng) > 10)
    return null
  const north = lat - circle.lat
  const east = (lng - circle.lng) * Math.cos(((lat + circle.lat) / 2) * DEGREE)
  const share = ((north * north + east * east) * KM_PER_DEGREE * KM_PER_DEGREE) / (circle.radiusKm * circle.radiusKm)
  if (share < 1 - PLANE_ERROR) return true
  return share > 1 + PLANE_ERROR ? false : null
}

export function isAllowed<Value>(wanted: readonly Value[] | null, value: Value | null): boolean {
  return wanted === null || (value !== null && wanted.includes(value))
}
