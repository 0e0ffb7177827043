import { durationText } from '../lib/time.ts'
import type { AnyFilter } from './filter.ts'
import type { ShapeName } from './filter-object.ts'
import { FILTER_PARAMETERS, INCIDENT_PARAMETER, type Parameter, type WatchParameter } from './parameters.ts'
import { positionsOf, regionGeometry } from './shapes.ts'

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
