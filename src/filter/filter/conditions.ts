import { isInBox } from '../../lib/geometry.ts'
import type { IndexedFields } from '../indexed-fields.ts'
import { canonicalObject } from './canonical.ts'
import type { AnyFilter } from './filter.ts'
import { inCircle, isAllowed, publishedFrom } from './matches.ts'
import { inRegion } from './region.ts'
import { nearRoute } from './route.ts'

/** One restriction of a filter, held against one incident. */
export interface Condition {
  /** The parameter that makes it. */
  readonly condition: string
  readonly wanted: unknown
  readonly actual: unknown
  readonly holds: boolean
}

/**
 * The conditions of a filter, each by itself: `matches` is true exactly if all hold. Shapes are not
 * repeated in `wanted`, because they may have a thousand positions. `ids` as in `matchesLive`.
 */
export function conditionsOf(
  filter: AnyFilter,
  fields: IndexedFields,
  now: number,
  ids: readonly string[] = [],
): Condition[] {
  const wanted = canonicalObject(filter)
  const { lat, lng, confidence } = fields
  const { states, lgas, types, severities, minConfidence, maxConfidence, box, circle, region, route, sites } = filter
  const from = publishedFrom(filter, now)
  const point = { lat, lng }
  const published = timeText(fields.publishedAt)
  const occurred = timeText(fields.occurredAt)
  return [
    filter.incidents &&
      of(
        'incident',
        filter.incidents,
        ids,
        ids.some((id) => filter.incidents?.includes(id) === true),
      ),
    states && listed('state', states, fields.state),
    lgas && listed('lga', lgas, fields.lga),
    types && listed('type', types, fields.type),
    severities && listed('severity', severities, fields.severity),
    of('min_confidence', minConfidence, confidence, confidence >= (minConfidence ?? 0)),
    of('max_confidence', maxConfidence, confidence, confidence <= (maxConfidence ?? 1)),
    of('since', wanted.since, published, fields.publishedAt >= from),
    of('from', wanted.from, published, fields.publishedAt >= from),
    of('to', wanted.to, published, fields.publishedAt < (filter.publishedTo ?? Number.POSITIVE_INFINITY)),
    of(
      'occurred_from',
      wanted.occurred_from,
      occurred,
      fields.occurredAt >= (filter.occurredFrom ?? Number.NEGATIVE_INFINITY),
    ),
    of(
      'occurred_to',
      wanted.occurred_to,
      occurred,
      fields.occurredAt < (filter.occurredTo ?? Number.POSITIVE_INFINITY),
    ),
    filter.datasets && listed('dataset', filter.datasets, fields.dataset),
    box && of('bbox', wanted.bbox, point, isInBox(box, lat, lng)),
    circle &&
      of('near', { lat: circle.lat, lng: circle.lng, radius_km: circle.radiusKm }, point, inCircle(circle, lat, lng)),
    region && of('polygon', 'inside the polygon', point, inRegion(region, lat, lng)),
    route && of('route', `within ${route.bufferKm} km of the route`, point, nearRoute(route, lat, lng)),
    sites && of('sites', `within the radius of one of ${sites.size} sites`, point, sites.has(lat, lng)),
  ].filter((each) => each !== null)
}

function listed<Value>(condition: string, wanted: readonly Value[], actual: Value | null): Condition {
  return { condition, wanted, actual, holds: isAllowed(wanted, actual) }
}

/** Null if the filter has no such condition. */
function of(condition: string, wanted: unknown, actual: unknown, holds: boolean): Condition | null {
  return wanted === null || wanted === undefined ? null : { condition, wanted, actual, holds }
}

function timeText(time: number): string {
  return new Date(time).toISOString()
}
