import { decimalText } from '../../lib/text/decimal-text.ts'
import { durationText } from '../../lib/time/time.ts'
import type { Filter } from './filter.ts'
import type { FilterParameter } from './parameters.ts'
import { positionsOf, regionGeometry } from './region.ts'
import type { DrawnName } from './watch-filter.ts'

type Value = readonly string[] | readonly number[] | string | number | Drawn
type Drawn = ReturnType<typeof regionGeometry> | { line: [number, number][]; buffer_km: number }

/**
 * The filter as one object, the same for every way of writing it, and understood again by `parseFilter` or, with a
 * polygon or a route, by `parseWatchFilter`.
 * Only what was asked is in it, in one order.
 */
export function canonicalObject(filter: Filter): Partial<Record<FilterParameter | DrawnName, Value>> {
  const { box, circle, region, route } = filter
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
    bbox: box && [box.west, box.south, box.east, box.north],
    near: circle && [circle.lat, circle.lng],
    radius_km: circle ? circle.radiusKm : null,
    polygon: region && regionGeometry(region),
    route: route && { line: positionsOf(route.line), buffer_km: route.bufferKm },
  })
}

/** The same as a query string: the name under which a filter is cached, shared and bound to cursors. */
export function canonicalQuery(filter: Filter): string {
  return Object.entries(canonicalObject(filter))
    .map(([name, value]) => `${name}=${encodeURIComponent(plain(value)).replaceAll('%2C', ',').replaceAll('%3A', ':')}`)
    .join('&')
}

function plain(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number') return partText(value)
  return Array.isArray(value) ? value.map(partText).join(',') : JSON.stringify(value)
}

function partText(part: string | number): string {
  return typeof part === 'number' ? decimalText(part) : part
}

function timeText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString()
}

function withoutNulls<Name extends string>(entries: Record<Name, Value | null>): Partial<Record<Name, Value>> {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== null)) as Partial<
    Record<Name, Value>
  >
}
