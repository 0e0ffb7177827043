const EARTH_RADIUS_KM = 6371.0088
const DEGREE = Math.PI / 180
/** Kilometres per degree of latitude. */
export const KM_PER_DEGREE = EARTH_RADIUS_KM * DEGREE

export interface Box {
  readonly west: number
  readonly south: number
  readonly east: number
  readonly north: number
}

export function isInBox(box: Box, lat: number, lng: number): boolean {
  return lat >= box.south && lat <= box.north && lng >= box.west && lng <= box.east
}

/** Great-circle distance (haversine). */
export function distanceKm(latA: number, lngA: number, latB: number, lngB: number): number {
  const sinLat = Math.sin(((latB - latA) * DEGREE) / 2)
  const sinLng = Math.sin(((lngB - lngA) * DEGREE) / 2)
  const chord = sinLat * sinLat + Math.cos(latA * DEGREE) * Math.cos(latB * DEGREE) * sinLng * sinLng
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** A box slightly larger than the circle: finds candidates, which an exact test must confirm. */
export function boxAround(lat: number, lng: number, radiusKm: number): Box {
  return expandBox({ west: lng, south: lat, east: lng, north: lat }, radiusKm)
}

/** A box that contains everything within `byKm` of the box, and slightly more. */
export function expandBox({ west, south, east, north }: Box, byKm: number): Box {
  const latReach = byKm / KM_PER_DEGREE + 1e-9
  const farthest = Math.max(Math.abs(south - latReach), Math.abs(north + latReach))
  const lngReach = latReach / Math.cos(farthest * DEGREE)
  // Near a pole or across the date line, the box must span all longitudes.
  const allAround = farthest >= 89 || west - lngReach < -180 || east + lngReach > 180
  return {
    west: allAround ? -180 : west - lngReach,
    south: south - latReach,
    east: allAround ? 180 : east + lngReach,
    north: north + latReach,
  }
}

/** The smallest box around all positions of the lines, each `lng, lat, lng, lat, …`. */
export function boxOf(lines: readonly Float64Array[]): Box {
  let west = Infinity
  let south = Infinity
  let east = -Infinity
  let north = -Infinity
  for (const line of lines) {
    for (let at = 0; at < line.length; at += 2) {
      west = Math.min(west, line[at]!)
      east = Math.max(east, line[at]!)
      south = Math.min(south, line[at + 1]!)
      north = Math.max(north, line[at + 1]!)
    }
  }
  return { west, south, east, north }
}

export function boxesIntersect(one: Box, other: Box): boolean {
  return one.west <= other.east && other.west <= one.east && one.south <= other.north && other.south <= one.north
}

/** The position along a segment, from 0 to 1, of its point nearest to the origin. */
export function nearestShare(fromX: number, fromY: number, alongX: number, alongY: number): number {
  const length = alongX * alongX + alongY * alongY
  return length === 0 ? 0 : Math.min(1, Math.max(0, -(fromX * alongX + fromY * alongY) / length))
}

/** Squared distance to a line of `lng, lat, …` on a local plane, in degrees of latitude. */
export function squaredDegreesTo(line: Float64Array, lat: number, lng: number): number {
  const shrink = Math.cos(lat * DEGREE)
  let least = Infinity
  let fromX = (line[0]! - lng) * shrink
  let fromY = line[1]! - lat
  for (let at = 2; at < line.length; at += 2) {
    const toX = (line[at]! - lng) * shrink
    const toY = line[at + 1]! - lat
    const share = nearestShare(fromX, fromY, toX - fromX, toY - fromY)
    const x = fromX + share * (toX - fromX)
    const y = fromY + share * (toY - fromY)
    least = Math.min(least, x * x + y * y)
    fromX = toX
    fromY = toY
  }
  return least
}
