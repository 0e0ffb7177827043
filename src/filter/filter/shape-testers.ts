import { boxOf, isInBox, KM_PER_DEGREE, squaredDegreesTo } from '../../lib/geometry.ts'
import { IntervalList, ringTester } from '../../lib/rings.ts'
import type { Region } from './region.ts'
import { isClearOfBuffer, nearRoute, type Route } from './route.ts'

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
