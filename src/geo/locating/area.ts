import { type Box, boxOf, KM_PER_DEGREE, squaredDegreesTo } from '../../lib/geometry.ts'
import { isInRing, type Ring } from '../../lib/rings.ts'

/** One or more polygons: outer rings and holes together, distinguished by the even-odd rule. */
export interface Area {
  readonly rings: readonly Ring[]
  readonly box: Box
}

export function areaOf(rings: readonly Ring[]): Area {
  return { rings, box: boxOf(rings) }
}

export function areaContains({ rings, box }: Area, lat: number, lng: number): boolean {
  if (lat < box.south || lat > box.north || lng < box.west || lng > box.east) return false
  let inside = false
  for (const ring of rings) if (isInRing(ring, lat, lng)) inside = !inside
  return inside
}

/** Distance to the outline, on a plane tangent at the point: exact enough for a few kilometres. */
export function distanceToOutlineKm({ rings }: Area, lat: number, lng: number): number {
  let least = Infinity
  for (const ring of rings) least = Math.min(least, squaredDegreesTo(ring, lat, lng))
  return Math.sqrt(least) * KM_PER_DEGREE
}
