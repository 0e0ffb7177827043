import type { Feature, Polygon, Position } from 'geojson'
import { KM_PER_DEGREE } from '../../../src/lib/geometry.ts'
import { type Area, DEFAULT_BUFFER_KM, type DrawnKind, roundPosition } from './area.ts'

/** The least and the most that the API takes. */
const [MIN_RADIUS_KM, MAX_RADIUS_KM] = [0.1, 500]

/** Reads what was drawn on the map. */
export function areaOfFeature(kind: DrawnKind, feature: Feature): Area {
  if (feature.geometry.type === 'LineString')
    return { kind: 'route', points: feature.geometry.coordinates.map(roundPosition), bufferKm: DEFAULT_BUFFER_KM }
  const ring = (feature.geometry as Polygon).coordinates[0]!.slice(0, -1)
  return kind === 'circle' ? circleOf(ring) : { kind: 'polygon', points: ring.map(roundPosition) }
}

/** The drawn circle is a polygon of many corners. */
function circleOf(ring: readonly Position[]): Area {
  const lats = ring.map(([, lat]) => lat!)
  const lngs = ring.map(([lng]) => lng!)
  const [south, north] = [Math.min(...lats), Math.max(...lats)]
  const radiusKm = ((north - south) / 2) * KM_PER_DEGREE
  return {
    kind: 'circle',
    centre: roundPosition([(Math.min(...lngs) + Math.max(...lngs)) / 2, (south + north) / 2]),
    radiusKm: Math.min(MAX_RADIUS_KM, Math.max(MIN_RADIUS_KM, Math.round(radiusKm * 10) / 10)),
  }
}
