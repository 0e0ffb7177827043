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

interface Side {
  readonly fromX: number
  readonly fromY: number
  readonly toX: number
  readonly toY: number
  readonly order: number
}

/** Returns whether two sides of the ring cross; touching is not crossing. */
export function intersectsItself(ring: Ring): boolean {
  const sides: Side[] = []
  for (let at = 2; at < ring.length; at += 2) {
    sides.push({ fromX: ring[at - 2]!, fromY: ring[at - 1]!, toX: ring[at]!, toY: ring[at + 1]!, order: at / 2 - 1 })
  }
  const west = ({ fromX, toX }: Side): number => Math.min(fromX, toX)
  const byWest = [...sides].sort((one, other) => west(one) - west(other))
  for (const [at, one] of byWest.entries()) {
    const east = Math.max(one.fromX, one.toX)
    for (let next = at + 1; next < byWest.length && west(byWest[next]!) <= east; next++) {
      const other = byWest[next]!
      const apart = Math.abs(one.order - other.order)
      if (apart > 1 && apart < sides.length - 1 && cross(one, other)) return true
    }
  }
  return false
}

function cross(one: Side, other: Side): boolean {
  const turn = (side: Side, x: number, y: number): number =>
    Math.sign((side.toX - side.fromX) * (y - side.fromY) - (side.toY - side.fromY) * (x - side.fromX))
  return (
    turn(one, other.fromX, other.fromY) * turn(one, other.toX, other.toY) < 0 &&
    turn(other, one.fromX, one.fromY) * turn(other, one.toX, one.toY) < 0
  )
}
