import type { Facts } from '../facts.ts'
import { type Box, boxAround, distanceKm, inBox } from '../geometry.ts'
import { spanMilliseconds } from '../time.ts'
import type { Filter } from './filter.ts'
import { inRegion } from './region.ts'
import { nearRoute } from './route.ts'

/** The start of the window on `published_at`, with `since` counted back from `now`. */
export function publishedFrom(filter: Filter, now: number): number {
  return filter.since ? now - spanMilliseconds(filter.since) : (filter.publishedFrom ?? Number.NEGATIVE_INFINITY)
}

/** The meaning of a filter. Every quicker way of running one is held against this by a property test. */
export function matches(filter: Filter, facts: Facts, now: number): boolean {
  return (
    oneOf(filter.states, facts.state) &&
    oneOf(filter.lgas, facts.lga) &&
    oneOf(filter.types, facts.type) &&
    oneOf(filter.severities, facts.severity) &&
    facts.confidence >= (filter.minConfidence ?? 0) &&
    facts.confidence <= (filter.maxConfidence ?? 1) &&
    facts.publishedAt >= publishedFrom(filter, now) &&
    facts.publishedAt < (filter.publishedTo ?? Number.POSITIVE_INFINITY) &&
    facts.occurredAt >= (filter.occurredFrom ?? Number.NEGATIVE_INFINITY) &&
    facts.occurredAt < (filter.occurredTo ?? Number.POSITIVE_INFINITY) &&
    (filter.box === null || inBox(filter.box, facts.lat, facts.lng)) &&
    (filter.circle === null || inCircle(filter.circle, facts.lat, facts.lng)) &&
    (filter.region === null || inRegion(filter.region, facts.lat, facts.lng)) &&
    (filter.route === null || nearRoute(filter.route, facts.lat, facts.lng))
  )
}

/** A box that holds whatever matches, where the filter names a place on the map; for finding candidates. */
export function boxFor({ box, circle, region, route }: Filter): Box | null {
  return box ?? (circle && boxAround(circle.lat, circle.lng, circle.radiusKm)) ?? (region ?? route)?.box ?? null
}

export function inCircle(circle: NonNullable<Filter['circle']>, lat: number, lng: number): boolean {
  return distanceKm(circle.lat, circle.lng, lat, lng) <= circle.radiusKm
}

function oneOf<Value>(wanted: readonly Value[] | null, value: Value | null): boolean {
  return wanted === null || (value !== null && wanted.includes(value))
}
