import {
  type Box,
  boxOf,
  distanceKm,
  inBox,
  KM_PER_DEGREE,
  nearestShare,
  squaredDegreesTo,
  widened,
} from '../../lib/geometry/geometry.ts'

/** A way, and how far from it still counts. */
export interface Route {
  /** `lng, lat, lng, lat, …`, joined by straight lines in longitude and latitude, as GeoJSON has them. */
  readonly line: Float64Array
  readonly bufferKm: number
  /** Holds everything near the route. */
  readonly box: Box
}

/** In its one normal form: there and back are the same road, and standing still adds nothing to it. */
export function routeOf(line: Float64Array, bufferKm: number): Route {
  const points: [number, number][] = []
  for (let at = 0; at < line.length; at += 2) {
    if (at === 0 || line[at] !== line[at - 2] || line[at + 1] !== line[at - 1]) points.push([line[at]!, line[at + 1]!])
  }
  const forth = points.flat()
  const back = points.toReversed().flat()
  const normal = Float64Array.from(String(forth) <= String(back) ? forth : back)
  return { line: normal, bufferKm, box: widened(boxOf([normal]), bufferKm) }
}

export function nearRoute({ line, bufferKm, box }: Route, lat: number, lng: number): boolean {
  if (!inBox(box, lat, lng)) return false
  const share = (squaredDegreesTo(line, lat, lng) * KM_PER_DEGREE * KM_PER_DEGREE) / (bufferKm * bufferKm)
  if (Math.abs(share - 1) > IN_DOUBT && Math.abs(lat) < FARTHEST_NORTH) return share < 1
  return distanceToLineKm(line, lat, lng) <= bufferKm
}

/** On a plane, distances of up to 100 km this far from the poles are off by much less than this share of their square. */
const IN_DOUBT = 0.05
const FARTHEST_NORTH = 60

/** How much farther, squared, a part of the line may seem on the plane and still be the nearest on the globe. */
const PLANE_TOLERANCE = 1.05

/**
 * The distance to the line's nearest point. On each part of the line that point is sought on a plane around the place asked about,
 * where being a little wrong costs only a second-order error; the distance to it is a great circle's.
 */
export function distanceToLineKm(line: Float64Array, lat: number, lng: number): number {
  const shrink = Math.cos((lat * Math.PI) / 180)
  let leastOnPlane = Infinity
  let leastKm = Infinity
  let fromX = (line[0]! - lng) * shrink
  let fromY = line[1]! - lat
  for (let at = 2; at < line.length; at += 2) {
    const toX = (line[at]! - lng) * shrink
    const toY = line[at + 1]! - lat
    const alongX = toX - fromX
    const alongY = toY - fromY
    const share = nearestShare(fromX, fromY, alongX, alongY)
    const x = fromX + share * alongX
    const y = fromY + share * alongY
    const onPlane = x * x + y * y
    if (onPlane <= leastOnPlane * PLANE_TOLERANCE) {
      leastOnPlane = Math.min(leastOnPlane, onPlane)
      leastKm = Math.min(leastKm, distanceKm(lat, lng, lat + y, lng + x / shrink))
    }
    fromX = toX
    fromY = toY
  }
  return leastKm
}
