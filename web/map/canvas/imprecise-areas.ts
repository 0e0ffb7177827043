import type { Feature, FeatureCollection, Point, Polygon } from 'geojson'
import { SEVERITIES } from '../../../src/domain/taxonomy.ts'
import { boxAround, circleAround } from './circle.ts'

/** An incident from a tile whose place is known only to its LGA or its state. */
export interface ImpreciseIncident {
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

export function isImprecise(precision: unknown): boolean {
  return precision === 'lga' || precision === 'state'
}

/**
 * Merges the incidents that are known only to the same LGA, or only to the same state, into one
 * area each: drawn over one another they would look like certainty. An area is a circle and, at its
 * top, a point for its name. Wide areas come first, so that narrow ones lie on top.
 */
export function mergeIntoAreas(incidents: readonly ImpreciseIncident[]): FeatureCollection<Polygon | Point> {
  const byPlace = new Map<string, ImpreciseIncident[]>()
  for (const incident of new Map(incidents.map((one) => [one.id, one])).values()) {
    const place = incident.precision === 'lga' && incident.lga !== null ? incident.lga : incident.state
    const members = byPlace.get(place) ?? []
    members.push(incident)
    byPlace.set(place, members)
  }
  const areas = [...byPlace].map(([place, members]) => areaOf(place, members))
  return {
    type: 'FeatureCollection',
    features: areas.toSorted((one, other) => other.radius - one.radius).flatMap(({ features }) => features),
  }
}

function areaOf(place: string, incidents: readonly ImpreciseIncident[]) {
  const mean = (coordinateOf: (incident: ImpreciseIncident) => number) =>
    incidents.reduce((sum, incident) => sum + coordinateOf(incident), 0) / incidents.length
  const [lat, lng] = [mean((incident) => incident.lat), mean((incident) => incident.lng)]
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
