import { type Box, boxAround, distanceKm, inBox, KM_PER_DEGREE } from '../../lib/geometry/geometry.ts'
import { durationMs } from '../../lib/time/time.ts'
import type { IndexedFields } from '../indexed-fields.ts'
import type { Filter } from './filter.ts'
import { inRegion } from './region.ts'
import { nearRoute } from './route.ts'

/** The start of the window on `published_at`, with `since` counted back from `now`. */
export function publishedFrom(filter: Filter, now: number): number {
  return filter.since ? now - durationMs(filter.since) : (filter.publishedFrom ?? Number.NEGATIVE_INFINITY)
}

/** The meaning of a filter. Every quicker way of running one is held against this by a property test. */
export function matches(filter: Filter, facts: IndexedFields, now: number): boolean {
  return (
    isAllowed(filter.states, facts.state) &&
    isAllowed(filter.lgas, facts.lga) &&
    isAllowed(filter.types, facts.type) &&
    isAllowed(filter.severities, facts.severity) &&
    facts.confidence >= (filter.minConfidence ?? 0) &&
    facts.confidence <= (filter.maxConfidence ?? 1) &&
    facts.publishedAt >= publishedFrom(filter, now) &&
    facts.publishedAt < (filter.publishedTo ?? Number.POSITIVE_INFINITY) &&
    facts.occurredAt >= (filter.occurredFrom ?? Number.NEGATIVE_INFINITY) &&
    facts.occurredAt < (filter.occurredTo ?? Number.POSITIVE_INFINITY) &&
    matchesArea(filter, facts.lat, facts.lng)
  )
}

/** What a filter asks of the place on the map. */
export function matchesArea({ box, circle, region, route }: Filter, lat: number, lng: number): boolean {
  return (
    (box === null || inBox(box, lat, lng)) &&
    (circle === null || inCircle(circle, lat, lng)) &&
    (region === null || inRegion(region, lat, lng)) &&
    (route === null || nearRoute(route, lat, lng))
  )
}

/** A box that holds whatever matches, where the filter names a place on the map; for finding candidates. */
export function boundingBoxOf({ box, circle, region, route }: Filter): Box | null {
  return box ?? (circle && boxAround(circle.lat, circle.lng, circle.radiusKm)) ?? (region ?? route)?.box ?? null
}

export function inCircle(circle: NonNullable<Filter['circle']>, lat: number, lng: number): boolean {
  const sure = surelyInCircle(circle, lat, lng)
  return sure === null ? distanceKm(circle.lat, circle.lng, lat, lng) <= circle.radiusKm : sure
}

const DEGREE = Math.PI / 180
/** On a plane, distances of up to 500 km this far from the poles are off by much less than this share of their square. */
const IN_DOUBT = 0.02
const FARTHEST_NORTH = 60

/** By a plane's distance, which costs a third of a globe's; null near the rim, where only the globe's will do. */
function surelyInCircle(circle: NonNullable<Filter['circle']>, lat: number, lng: number): boolean | null {
  if (Math.abs(circle.lat) > FARTHEST_NORTH || Math.abs(lat) > FARTHEST_NORTH || Math.abs(lng - circle.lng) > 10)
    return null
  const north = lat - circle.lat
  const east = (lng - circle.lng) * Math.cos(((lat + circle.lat) / 2) * DEGREE)
  const share = ((north * north + east * east) * KM_PER_DEGREE * KM_PER_DEGREE) / (circle.radiusKm * circle.radiusKm)
  if (share < 1 - IN_DOUBT) return true
  return share > 1 + IN_DOUBT ? false : null
}

export function isAllowed<Value>(wanted: readonly Value[] | null, value: Value | null): boolean {
  return wanted === null || (value !== null && wanted.includes(value))
}
