import {
  type Box,
  boxOf,
  distanceKm,
  expandBox,
  isInBox,
  KM_PER_DEGREE,
  nearestShare,
  squaredDegreesTo,
} from '../../lib/geometry.ts'

export interface Route {
  /** `lng, lat, lng, lat, …`, joined by straight lines in degrees, as in GeoJSON. */
  readonly line: Float64Array
  readonly bufferKm: number
  /** A box around the whole buffer. */
  readonly box: Box
}

/** Builds a normal form: both directions give the same line, without repeated positions. */
export function routeOf(line: Float64Array, bufferKm: number): Route {
  const points: [number, number][] = []
  for (let at = 0; at < line.length; at += 2) {
    if (at === 0 || line[at] !== line[at - 2] || line[at + 1] !== line[at - 1]) points.push([line[at]!, line[at + 1]!])
  }
  const forward = points.flat()
  const backward = points.toReversed().flat()
  const normal = Float64Array.from(String(forward) <= String(backward) ? forward : backward)
  return { line: normal, bufferKm, box: expandBox(boxOf([normal]), bufferKm) }
}

export function nearRoute({ line, bufferKm, box }: Route, lat: number, lng: number): boolean {
  if (!isInBox(box, lat, lng)) return false
  const clear = Math.abs(lat) < MAX_LATITUDE ? isClearOfBuffer(squaredDegreesTo(line, lat, lng), bufferKm) : null
  return clear === null ? distanceToLineKm(line, lat, lng) <= bufferKm : clear === 'inside'
}

/**
 * Decides by the squared distance on a plane, if that is far enough from the edge of the buffer;
 * else null.
 */
export function isClearOfBuffer(squaredDegrees: number, bufferKm: number): 'inside' | 'outside' | null {
  const share = (squaredDegrees * KM_PER_DEGREE * KM_PER_DEGREE) / (bufferKm * bufferKm)
  if (Math.abs(share - 1) <= PLANE_ERROR) return null
  return share < 1 ? 'inside' : 'outside'
}

/** Exceeds the plane's relative error in squared distance, below `MAX_LATITUDE` and 100 km. */
const PLANE_ERROR = 0.05
const MAX_LATITUDE = 60

/** The nearest segment on the globe may have a squared plane distance larger by this factor. */
const PLANE_TOLERANCE = 1.05

/**
 * Great-circle distance to the nearest point of the line. That point is found on a plane around the
 * given position, where a small error of its place changes the distance only in the second order.
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
