import type { Polygon, Position } from 'geojson'

/** Where a watch looks, as the form draws it. Positions are longitude and latitude. */
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
export function areaOf(filter: Readonly<Record<string, unknown>>): Area {
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
export function withoutArea(filter: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(filter).filter(([name]) => !AREA_MEMBERS.some((each) => each === name)))
}

const round = (degrees: number) => Math.round(degrees * 1e5) / 1e5

/** A place to the metre: more digits than a click can mean. */
export function roundPosition([lng, lat]: Position): Position {
  return [round(lng!), round(lat!)]
}
