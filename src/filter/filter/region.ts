import { type Box, boxOf, isInBox } from '../../lib/geometry.ts'
import { isInRing, type Ring, signedArea } from '../../lib/rings.ts'

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
