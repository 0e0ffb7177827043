import type { Feature, FeatureCollection, MultiPolygon, Polygon, Position } from 'geojson'
import type { Area as SavedArea, WatchFilter } from '../../../client/src/generated/types.ts'
import { KM_PER_DEGREE } from '../../../src/lib/geometry.ts'
import { circleAround } from '../../shared/ground/circle.ts'

/** The area of a watch, as the form draws it. Positions are longitude and latitude. */
export type Area =
  | { readonly kind: 'anywhere' }
  | { readonly kind: 'polygon'; readonly points: readonly Position[] }
  | { readonly kind: 'circle'; readonly centre: Position; readonly radiusKm: number }
  | { readonly kind: 'route'; readonly points: readonly Position[]; readonly bufferKm: number }
  /** One that the account has saved under a name. */
  | { readonly kind: 'saved'; readonly id: string }
  /** A list of sites that the account has uploaded. */
  | { readonly kind: 'sites'; readonly id: string }
  /** A shape that this form cannot draw, such as one with holes: it stays as it is. */
  | { readonly kind: 'kept'; readonly members: Readonly<Record<string, unknown>> }

export type DrawnKind = 'polygon' | 'circle' | 'route'

export const ANYWHERE: Area = { kind: 'anywhere' }
export const DEFAULT_BUFFER_KM = 5
const AREA_MEMBERS = ['bbox', 'near', 'radius_km', 'polygon', 'route', 'area', 'sites'] as const

/** The members of a watch's filter for an area. */
export function areaMembers(area: Area): Record<string, unknown> {
  if (area.kind === 'anywhere') return {}
  if (area.kind === 'kept') return { ...area.members }
  if (area.kind === 'saved') return { area: area.id }
  if (area.kind === 'sites') return { sites: area.id }
  if (area.kind === 'circle') {
    const [lng, lat] = area.centre
    return { near: `${lat},${lng}`, radius_km: String(area.radiusKm) }
  }
  if (area.kind === 'route') return { route: { line: area.points, buffer_km: area.bufferKm } }
  return { polygon: { type: 'Polygon', coordinates: [[...area.points, area.points[0]]] } }
}

/** Reads the area of a filter that a watch has. */
export function areaOf(filter: WatchFilter): Area {
  const members = Object.fromEntries(AREA_MEMBERS.filter((name) => name in filter).map((name) => [name, filter[name]]))
  const names = Object.keys(members).join(' ')
  if (names === '') return ANYWHERE
  if (names === 'area') return { kind: 'saved', id: String(members.area) }
  if (names === 'sites') return { kind: 'sites', id: String(members.sites) }
  if (names === 'near radius_km') {
    const [lat, lng] = String(members.near).split(',').map(Number)
    return { kind: 'circle', centre: [lng!, lat!], radiusKm: Number(members.radius_km) }
  }
  if (names === 'polygon') {
    const polygon = members.polygon as Polygon
    if (polygon.type === 'Polygon' && polygon.coordinates.length === 1)
      return { kind: 'polygon', points: polygon.coordinates[0]!.slice(0, -1) }
  }
  if (names === 'route') {
    const route = members.route as { line: Position[]; buffer_km: number }
    return { kind: 'route', points: route.line, bufferKm: route.buffer_km }
  }
  return { kind: 'kept', members }
}

/** The filter without its area. */
export function withoutArea(filter: WatchFilter): Record<string, unknown> {
  return Object.fromEntries(Object.entries(filter).filter(([name]) => !AREA_MEMBERS.some((each) => each === name)))
}

const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5

/** A place to the metre: more digits than a click can mean. */
function roundPosition([lng, lat]: Position): Position {
  return [round(lng!), round(lat!)]
}

/** The shape for the map and the form. */
export function shapeOf({ polygon, route, circle }: SavedArea): Area {
  if (circle !== undefined) return { kind: 'circle', centre: [circle.lng, circle.lat], radiusKm: circle.radius_km }
  if (route !== undefined) return areaOf({ route })
  return polygon === undefined ? ANYWHERE : areaOf({ polygon })
}

/** The member of the request that has the shape; null if there is none yet. */
export function shapeMember(area: Area): Record<string, unknown> | null {
  if (area.kind === 'circle') {
    const [lng, lat] = area.centre
    return { circle: { lat, lng, radius_km: area.radiusKm } }
  }
  return area.kind === 'anywhere' || 'id' in area ? null : areaMembers(area)
}

export function shapeText(area: Area): string {
  if (area.kind === 'circle') return `${area.radiusKm} km around a point`
  if (area.kind === 'route') return `${area.bufferKm} km on both sides of a road of ${area.points.length} points`
  if (area.kind === 'polygon') return `An area with ${area.points.length} corners`
  return 'An area with holes or several parts'
}

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

/** Writes points as people write them: latitude, longitude, one in each line. */
export function pointsText(points: readonly Position[]): string {
  return points.map(([lng, lat]) => `${lat}, ${lng}`).join('\n')
}

/** Reads points, or says which line is wrong. */
export function readPoints(text: string): { readonly points: Position[] } | { readonly problem: string } {
  const points: Position[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const numbers = line.trim().split(/[\s,;]+/)
    const [lat, lng] = numbers.map(Number)
    const isPoint = numbers.length === 2 && !numbers.includes('') && Math.abs(lat!) <= 90 && Math.abs(lng!) <= 180
    if (!isPoint) return { problem: `Line ${index + 1} is not a latitude and a longitude, such as 10.52, 7.44.` }
    points.push([lng!, lat!])
  }
  return { points }
}

/** An empty collection, for a map without incidents or without an area. */
export const NO_FEATURES: FeatureCollection = { type: 'FeatureCollection', features: [] }
/** The depth at which a geometry's positions are nested, besides its outermost list. */
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
