import type { Feature, FeatureCollection, Point, Polygon } from 'geojson'
import { SEVERITIES } from '../../../src/domain/taxonomy.ts'
import { boxAround, circleAround } from './circle.ts'

/** An incident of a tile that is known to no more than its LGA or its state. */
export interface Vague {
  readonly id: string
  readonly severity: string
  readonly precision: string
  readonly radiusKm: number
  readonly state: string
  readonly lga: string | null
  readonly stateName: string
  readonly lgaName: string | null
  readonly lat: number
  readonly lng: number
}

export function isVague(precision: unknown): boolean {
  return precision === 'lga' || precision === 'state'
}

interface Shared {
  readonly incidents: Vague[]
}

/**
 * One soft area for all incidents that are known only to the same LGA, or only to the same state: drawn one over the
 * other they would look like certainty. Each is a circle and, at its top, a point for its name. Wide ones come first, so that the narrow lie on top.
 */
export function areasOf(incidents: readonly Vague[]): FeatureCollection<Polygon | Point> {
  const places = new Map<string, Shared>()
  for (const incident of new Map(incidents.map((one) => [one.id, one])).values()) {
    const place = incident.precision === 'lga' && incident.lga !== null ? incident.lga : incident.state
    const shared = places.get(place) ?? { incidents: [] }
    shared.incidents.push(incident)
    places.set(place, shared)
  }
  const areas = [...places].map(([place, shared]) => areaOf(place, shared.incidents))
  return {
    type: 'FeatureCollection',
    features: areas.toSorted((one, other) => other.radius - one.radius).flatMap(({ features }) => features),
  }
}

function areaOf(place: string, incidents: readonly Vague[]) {
  const mean = (of: (one: Vague) => number) => incidents.reduce((sum, one) => sum + of(one), 0) / incidents.length
  const [lat, lng] = [mean((one) => one.lat), mean((one) => one.lng)]
  const radius = Math.max(...incidents.map(({ radiusKm }) => radiusKm))
  const worst = Math.max(...incidents.map(({ severity }) => (SEVERITIES as readonly string[]).indexOf(severity)))
  const [first] = incidents
  const isState = place === first!.state
  const properties = {
    place,
    isState,
    name: isState ? first!.stateName : (first!.lgaName ?? first!.stateName),
    state: first!.state,
    severity: SEVERITIES[Math.max(0, worst)]!,
    count: incidents.length,
    ...(incidents.length === 1 ? { id: first!.id } : {}),
  }
  const [, , , north] = boxAround(lat, lng, radius)
  const top: Feature<Point> = { type: 'Feature', properties, geometry: { type: 'Point', coordinates: [lng, north] } }
  return { radius, features: [{ ...circleAround(lat, lng, radius), properties }, top] }
}
