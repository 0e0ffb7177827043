/** Random filters of watches, written as clients write them; the same in every run. */

import type { Incident } from '../../src/domain/incident.ts'
import { CATEGORY_NAMES, SEVERITIES, TYPE_NAMES } from '../../src/domain/taxonomy.ts'
import type { LiveFilter } from '../../src/filter/filter.ts'
import { parseWatchFilter } from '../../src/filter/live-filters.ts'
import { places } from '../../src/geo/places.ts'
import { seededRandom } from '../../src/lib/random.ts'

const random = seededRandom(11)
const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
const within = (least: number, most: number): number => least + (most - least) * random()
const decimals = (value: number): number => Number(value.toFixed(4))
const several = <Value>(most: number, draw: () => Value): Value[] =>
  Array.from({ length: Math.ceil(most * random() ** 2) }, draw)

type IncidentPoint = Pick<Incident, 'lat' | 'lng' | 'location'>

/** Kinds of areas with their shares in percent. */
const AREAS: readonly (readonly [share: number, area: (point: () => IncidentPoint) => object])[] = [
  [30, (point) => ({ lga: several(6, () => point().location.lga_code ?? pick(places.lgas).code) })],
  [25, (point) => ({ state: several(6, () => point().location.state_code) })],
  [20, (point) => ({ near: around(point(), 0.2).toReversed(), radius_km: decimals(within(2, 60)) })],
  [5, (point) => ({ bbox: boxAt(around(point(), 0.2), within(0.05, 1)) })],
  [8, (point) => ({ polygon: { type: 'Polygon', coordinates: [star(around(point(), 0.2))] } })],
  [7, (point) => ({ route: { line: road(point(), point()), buffer_km: pick([1, 2, 5, 10, 25]) } })],
  [5, () => ({})],
]

/**
 * Yields filters without end, with some repetitions: half where incidents happen, half anywhere.
 */
export function* standingFilters(points: readonly IncidentPoint[]): Generator<LiveFilter> {
  const point = (): IncidentPoint => (random() < 0.5 ? pick(points) : pointOf(pick(places.lgas)))
  for (;;) {
    const parsed = parseWatchFilter({ ...randomArea(point), ...randomConditions() }, '', places)
    // A random shape may lie outside Nigeria; the service would refuse it.
    if ('value' in parsed) yield parsed.value
  }
}

function randomArea(point: () => IncidentPoint): object {
  let left = random() * 100
  const [, area] = AREAS.find(([share]) => {
    left -= share
    return left < 0
  })!
  return area(point)
}

function randomConditions(): object {
  const kind = random()
  return {
    ...(kind < 0.35 ? { type: several(5, () => pick(TYPE_NAMES)) } : {}),
    ...(kind > 0.7 ? { category: several(3, () => pick(CATEGORY_NAMES)) } : {}),
    ...(random() < 0.4 ? { min_severity: pick(SEVERITIES) } : {}),
    ...(random() < 0.4 ? { min_confidence: Number(within(0.3, 0.95).toFixed(2)) } : {}),
  }
}

function pointOf(lga: (typeof places.lgas)[number]): IncidentPoint {
  const location = { state_code: lga.state.code, lga_code: lga.code }
  return { lat: lga.lat, lng: lga.lng, location: location as Incident['location'] }
}

/** Returns longitude first, as in GeoJSON. */
function around({ lat, lng }: IncidentPoint, degrees: number): [number, number] {
  return [decimals(lng + within(-degrees, degrees)), decimals(lat + within(-degrees, degrees))]
}

function boxAt([lng, lat]: [number, number], half: number): number[] {
  return [lng - half, lat - half, lng + half, lat + half].map(decimals)
}

function star([lng, lat]: [number, number]): [number, number][] {
  const size = within(0.05, 0.8)
  const count = Math.ceil(within(4, 40))
  const corners = Array.from({ length: count }, (_, at): [number, number] => {
    const angle = (2 * Math.PI * at) / count
    const reach = size * within(0.6, 1)
    return [decimals(lng + reach * Math.cos(angle)), decimals(lat + reach * Math.sin(angle))]
  })
  return [...corners, corners[0]!]
}

/** Returns a line from one point to the other with up to 60 irregular segments. */
function road(from: IncidentPoint, to: IncidentPoint): [number, number][] {
  const pieces = Math.ceil(within(3, 60))
  return Array.from({ length: pieces + 1 }, (_, at) => {
    const share = at / pieces
    const point = { lat: from.lat + share * (to.lat - from.lat), lng: from.lng + share * (to.lng - from.lng) }
    return around(point as IncidentPoint, 0.05)
  })
}
