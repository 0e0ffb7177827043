/** A ring's positions, `lng, lat, lng, lat, …`; the last repeats the first. */
export type Ring = Float64Array

/** Tests a point by the even-odd rule; a point lies in only one of two rings that share a side. */
export function isInRing(ring: Ring, lat: number, lng: number): boolean {
  let inside = false
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
  return inside
}

/** The area in square degrees, positive where the ring runs counter-clockwise. */
export function signedArea(ring: Ring): number {
  let twice = 0
  for (let at = 2; at < ring.length; at += 2) twice += ring[at - 2]! * ring[at + 1]! - ring[at]! * ring[at - 1]!
  return twice / 2
}

/**
 * Returns whether two sides of the ring cross; touching is not crossing. Compares plain numbers: a
 * ring may be drawn so that all pairs of its sides must be compared.
 */
export function intersectsItself(ring: Ring): boolean {
  const count = ring.length / 2 - 1
  const west = (side: number): number => Math.min(ring[2 * side]!, ring[2 * side + 2]!)
  const sides = Int32Array.from({ length: count }, (_, side) => side).sort((one, other) => west(one) - west(other))
  const wests = Float64Array.from(sides, west)
  for (let at = 0; at < count; at++) {
    const one = sides[at]!
    const east = Math.max(ring[2 * one]!, ring[2 * one + 2]!)
    for (let next = at + 1; next < count && wests[next]! <= east; next++) {
      const other = sides[next]!
      if (!cross(ring, 2 * one, 2 * other)) continue
      // Neighbours share a corner, so they only touch.
      const apart = Math.abs(one - other)
      if (apart > 1 && apart < count - 1) return true
    }
  }
  return false
}

/** The sides begin at these indexes of the ring. */
function cross(ring: Ring, one: number, other: number): boolean {
  return isSeparatedBy(ring, one, other) && isSeparatedBy(ring, other, one)
}

/** Tells whether the ends of `other` lie on different sides of the line through `side`. */
function isSeparatedBy(ring: Ring, side: number, other: number): boolean {
  const fromX = ring[side]!
  const fromY = ring[side + 1]!
  const alongX = ring[side + 2]! - fromX
  const alongY = ring[side + 3]! - fromY
  const start = alongX * (ring[other + 1]! - fromY) - alongY * (ring[other]! - fromX)
  const end = alongX * (ring[other + 3]! - fromY) - alongY * (ring[other + 2]! - fromX)
  return (start > 0 && end < 0) || (start < 0 && end > 0)
}
