import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson'
import { circleAround } from '../../shared/ground/circle.ts'
import type { Area } from './area.ts'

/** An empty collection, for a map without incidents or without an area. */
export const NO_FEATURES: FeatureCollection = { type: 'FeatureCollection', features: [] }
/** How deep the positions of a geometry are nested, besides its outermost list. */
const DEPTHS: Readonly<Record<string, number>> = { LineString: 0, Polygon: 1, MultiPolygon: 2 }

/** The area as features that the map draws. */
export function areaFeatures(area: Area): FeatureCollection {
  const feature = (geometry: Feature['geometry'], properties = {}): FeatureCollection => ({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties, geometry }],
  })
  const [first] = area.kind === 'polygon' ? area.points : []
  if (area.kind === 'polygon' && first !== undefined)
    return feature({ type: 'Polygon', coordinates: [[...area.points, first]] })
  if (area.kind === 'route' && area.points.length > 1)
    return feature({ type: 'LineString', coordinates: [...area.points] }, { buffer_km: area.bufferKm })
  if (area.kind === 'kept' && isRegion(area.members.polygon)) return feature(area.members.polygon)
  if (area.kind === 'circle') return feature(circleAround(area.centre[1]!, area.centre[0]!, area.radiusKm).geometry)
  return NO_FEATURES
}

/** West, south, east and north of the area; null if it has no shape. */
export function areaBox(area: Area): [number, number, number, number] | null {
  const { features } = areaFeatures(area)
  const positions = features.flatMap(({ geometry }) =>
    'coordinates' in geometry ? geometry.coordinates.flat(DEPTHS[geometry.type]) : [],
  ) as Position[]
  if (positions.length === 0) return null
  const lngs = positions.map(([lng]) => lng!)
  const lats = positions.map(([, lat]) => lat!)
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)]
}

function isRegion(value: unknown): value is Polygon | MultiPolygon {
  const { type } = (value ?? {}) as { type?: unknown }
  return type === 'Polygon' || type === 'MultiPolygon'
}
