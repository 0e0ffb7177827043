import type { MultiPolygon, Polygon, Position } from 'geojson'
import { ANYWHERE, type Area, areaOf } from '../area/area.ts'

/** A saved area as the API shows it; it has one of the three shapes. */
export interface SavedArea {
  readonly id: string
  readonly name: string
  readonly kind: 'polygon' | 'route' | 'circle'
  readonly polygon?: Polygon | MultiPolygon
  readonly route?: { readonly line: readonly Position[]; readonly buffer_km: number }
  readonly circle?: { readonly lat: number; readonly lng: number; readonly radius_km: number }
  readonly watches: number
  readonly updated_at: string
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
  if (area.kind === 'route') return { route: { line: area.points, buffer_km: area.bufferKm } }
  if (area.kind === 'polygon') return { polygon: { type: 'Polygon', coordinates: [[...area.points, area.points[0]]] } }
  return area.kind === 'kept' ? { ...area.members } : null
}

/** What it is, in words. */
export function shapeText(area: Area): string {
  if (area.kind === 'circle') return `${area.radiusKm} km around a point`
  if (area.kind === 'route') return `${area.bufferKm} km on both sides of a road of ${area.points.length} points`
  if (area.kind === 'polygon') return `An area with ${area.points.length} corners`
  return 'An area with holes or several parts'
}
