import type { Box } from '../domain/geometry.ts'

/** A ring's positions, `lng, lat, lng, lat, …`, the first one repeated at the end. */
export type Ring = Float64Array

/** A polygon or several: outer rings and holes together, told apart by the even-odd rule. */
export interface Area {
  readonly rings: readonly Ring[]
  readonly box: Box
}

export function areaOf(rings: readonly Ring[]): Area {
  let west = Infinity
  let south = Infinity
  let east = -Infinity
  let north = -Infinity
  for (const ring of rings) {
    for (let at = 0; at < ring.length; at += 2) {
      west = Math.min(west, ring[at]!)
      east = Math.max(east, ring[at]!)
      south = Math.min(south, ring[at + 1]!)
      north = Math.max(north, ring[at + 1]!)
    }
  }
  return { rings, box: { west, south, east, north } }
}

export function holds({ rings, box }: Area, lat: number, lng: number): boolean {
  if (lat < box.south || lat > box.north || lng < box.west || lng > box.east) return false
  let inside = false
  for (const ring of rings) {
    let beforeLng = ring[0]!
    let beforeLat = ring[1]!
    for (let at = 2; at < ring.length; at += 2) {
      const nextLng = ring[at]!
      const nextLat = ring[at + 1]!
      if (nextLat > lat !== beforeLat > lat) {
        if (lng < ((beforeLng - nextLng) * (lat - nextLat)) / (beforeLat - nextLat) + nextLng) inside = !inside
      }
      beforeLng = nextLng
      beforeLat = nextLat
    }
  }
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

/** Signed and in square degrees: positive where the ring runs counter-clockwise. */
export function signedArea(ring: Ring): number {
  let twice = 0
  for (let at = 2; at < ring.length; at += 2) twice += ring[at - 2]! * ring[at + 1]! - ring[at]! * ring[at - 1]!
  return twice / 2
}
