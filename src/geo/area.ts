import { type Box, boxOf } from '../domain/geometry.ts'
import { inRing, type Ring } from '../domain/ring.ts'

/** A polygon or several: outer rings and holes together, told apart by the even-odd rule. */
export interface Area {
  readonly rings: readonly Ring[]
  readonly box: Box
}

export function areaOf(rings: readonly Ring[]): Area {
  return { rings, box: boxOf(rings) }
}

export function holds({ rings, box }: Area, lat: number, lng: number): boolean {
  if (lat < box.south || lat > box.north || lng < box.west || lng > box.east) return false
  let inside = false
  for (const ring of rings) if (inRing(ring, lat, lng)) inside = !inside
  return inside
}

const KM_A_DEGREE = 111.195

/** Distance to the outline in km, on a plane tangent at the point: exact enough for the few km it is asked for. */
export function distanceToOutlineKm({ rings }: Area, lat: number, lng: number): number {
  const shrink = Math.cos((lat * Math.PI) / 180)
  let least = Infinity
  for (const ring of rings) {
    let fromX = (ring[0]! - lng) * shrink
    let fromY = ring[1]! - lat
    for (let at = 2; at < ring.length; at += 2) {
      const toX = (ring[at]! - lng) * shrink
      const toY = ring[at + 1]! - lat
      const alongX = toX - fromX
      const alongY = toY - fromY
      const length = alongX * alongX + alongY * alongY
      const share = length === 0 ? 0 : Math.min(1, Math.max(0, -(fromX * alongX + fromY * alongY) / length))
      const x = fromX + share * alongX
      const y = fromY + share * alongY
      least = Math.min(least, x * x + y * y)
      fromX = toX
      fromY = toY
    }
  }
  return Math.sqrt(least) * KM_A_DEGREE
}
