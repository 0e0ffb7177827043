import {
  type Box,
  boxOf,
  distanceKm,
  expandBox,
  isInBox,
  KM_PER_DEGREE,
  nearestShare,
  squaredDegreesTo,
} from '../lib/geometry.ts'
import { IntervalList, isInRing, type Ring, ringTester, signedArea } from '../lib/rings.ts'

/** One or more polygons: in each, the outer ring comes first, followed by its holes. */
export interface Region {
  readonly polygons: readonly (readonly Ring[])[]
  readonly box: Box
}

/** Tests whether a point lies in any of the polygons, and in none of its holes. */
export function inRegion({ polygons, box }: Region, lat: number, lng: number): boolean {
  return (
    isInBox(box, lat, lng) &&
    polygons.some(([outer, ...holes]) => isInRing(outer!, lat, lng) && !holes.some((hole) => isInRing(hole, lat, lng)))
  )
}

/**
 * Builds a normal form: the same area has the same text, whichever corner, direction or order it
 * was given in. Rings run as in RFC 7946: outer ones counter-clockwise, holes clockwise.
 */
export function regionOf(polygons: readonly (readonly Ring[])[]): Region {
  const normal = polygons.map(([outer, ...holes]) => [
    normalRing(outer!, true),
    ...sortedUnique(holes.map((hole) => normalRing(hole, false))),
  ])
  return { polygons: sortedUnique(normal), box: boxOf(normal.map(([outer]) => outer!)) }
}

function normalRing(ring: Ring, counterClockwise: boolean): Ring {
  const corners = cornersOf(ring)
  if (signedArea(ring) > 0 !== counterClockwise) corners.reverse()
  const first = corners.reduce((least, corner, at) => (isBefore(corner, corners[least]!) ? at : least), 0)
  const turned = [...corners.slice(first), ...corners.slice(0, first + 1)]
  return Float64Array.from(turned.flat())
}

type Corner = readonly [number, number]

/** The ring's positions without the closing one and without repetitions of the previous one. */
function cornersOf(ring: Ring): Corner[] {
  const corners: Corner[] = []
  for (let at = 2; at < ring.length; at += 2) {
    if (ring[at] !== ring[at - 2] || ring[at + 1] !== ring[at - 1]) corners.push([ring[at]!, ring[at + 1]!])
  }
  return corners
}

function isBefore(one: Corner, other: Corner): boolean {
  return one[0] < other[0] || (one[0] === other[0] && one[1] < other[1])
}

function sortedUnique<Value extends object>(values: readonly Value[]): Value[] {
  const byText = new Map(values.map((value) => [String(value), value]))
  return [...byText].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value)
}

/** The region as GeoJSON: a MultiPolygon only where there are several polygons. */
export function regionGeometry({ polygons }: Region): { type: 'Polygon' | 'MultiPolygon'; coordinates: unknown } {
  const coordinates = polygons.map((rings) => rings.map(positionsOf))
  return coordinates.length === 1
    ? { type: 'Polygon', coordinates: coordinates[0] }
    : { type: 'MultiPolygon', coordinates }
}

export function positionsOf(flat: Float64Array): [number, number][] {
  return Array.from({ length: flat.length / 2 }, (_, at) => [flat[2 * at]!, flat[2 * at + 1]!])
}

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

export type PointTester = (lat: number, lng: number) => boolean

/** Exceeds the rounding error of `isInRing` at the edge of a ring's box. */
const MARGIN = 1e-9

/** Returns `inRegion` for many points of one region. */
export function regionTester({ polygons, box }: Region): PointTester {
  const prepared = polygons.map(([outer, ...holes]) => {
    const { west, south, east, north } = boxOf([outer!])
    const around = { west: west - MARGIN, south: south - MARGIN, east: east + MARGIN, north: north + MARGIN }
    return { around, isInOuter: ringTester(outer!), holes: holes.map(ringTester) }
  })
  const byLongitude = new IntervalList(
    prepared.map(({ around }) => around.west),
    prepared.map(({ around }) => around.east),
    [...prepared.keys()],
  )
  return (lat, lng) => {
    if (!isInBox(box, lat, lng)) return false
    let at = byLongitude.nextReaching(lng, byLongitude.countFrom(lng))
    for (; at >= 0; at = byLongitude.nextReaching(lng, at)) {
      const { around, isInOuter, holes } = prepared[byLongitude.items[at]!]!
      const isInside = isInBox(around, lat, lng) && isInOuter(lat, lng)
      if (isInside && !holes.some((isInHole) => isInHole(lat, lng))) return true
    }
    return false
  }
}

/** Segments further away than this many buffers never decide. */
const REACH = 1.2

/**
 * Returns `nearRoute` for many points of one route: compares only with segments near the point's
 * longitude.
 */
export function routeTester(route: Route): PointTester {
  const { line, bufferKm, box } = route
  const farthest = Math.max(Math.abs(box.south), Math.abs(box.north))
  const reach = (REACH * bufferKm) / KM_PER_DEGREE / Math.cos((farthest * Math.PI) / 180)
  if (!(farthest < 60) || line.length < 4) return (lat, lng) => nearRoute(route, lat, lng)
  const segments = Array.from({ length: line.length / 2 - 1 }, (_, number) => line.subarray(2 * number, 2 * number + 4))
  const list = new IntervalList(
    segments.map(([from, , to]) => Math.min(from!, to!) - reach),
    segments.map(([from, , to]) => Math.max(from!, to!) + reach),
    [...segments.keys()],
  )
  return (lat, lng) => {
    if (!isInBox(box, lat, lng)) return false
    let least = Number.POSITIVE_INFINITY
    for (let at = list.nextReaching(lng, list.countFrom(lng)); at >= 0; at = list.nextReaching(lng, at))
      least = Math.min(least, squaredDegreesTo(segments[list.items[at]!]!, lat, lng))
    const clear = isClearOfBuffer(least, bufferKm)
    return clear === null ? nearRoute(route, lat, lng) : clear === 'inside'
  }
}
