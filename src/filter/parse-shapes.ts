import type { FieldError } from '../domain/errors.ts'
import type { Places } from '../domain/places.ts'
import { type Box, boxesIntersect, boxOf, expandBox, isInBox } from '../lib/geometry.ts'
import { intersectsItself, type Ring, signedArea } from '../lib/rings.ts'
import { type Region, type Route, regionOf, routeOf } from './shapes.ts'

export const SHAPE_NAMES = ['polygon', 'route'] as const
export type ShapeName = (typeof SHAPE_NAMES)[number]

export const MAX_POSITIONS = 1000

const POLYGON_EXAMPLE = '{"type": "Polygon", "coordinates": [[[7.3, 10.4], [7.5, 10.4], [7.4, 10.6], [7.3, 10.4]]]}'

const HINTS: ReadonlyMap<unknown, string> = new Map([
  ['Feature', '; give the geometry of the Feature'],
  ['FeatureCollection', '; give the geometry of one of its features'],
])

/** Parses a GeoJSON Polygon or MultiPolygon; throws `ShapeError`. */
export function parseRegion(value: unknown, pointer: string, places: Places): Region {
  const typed = value as { type?: unknown } | null | undefined
  const hint = HINTS.get(typed?.type)
  if (hint) throw new ShapeError(`${pointer}/type`, `must be "Polygon" or "MultiPolygon"${hint}`)
  const { type, coordinates } = parseMembers(value, ['type', 'coordinates', 'bbox'], pointer, POLYGON_EXAMPLE)
  const polygons = parsePolygons(type, coordinates, pointer)
  requireNigeria(boxOf(polygons.flat()), `${pointer}/coordinates`, places)
  return regionOf(polygons)
}

function parsePolygons(type: unknown, coordinates: unknown, pointer: string): Ring[][] {
  const at = `${pointer}/coordinates`
  let left = MAX_POSITIONS
  const parsePolygon = (value: unknown, polygonAt: string): Ring[] =>
    parseList(value, polygonAt, 'rings, each a list of positions').map((ringValue, index) => {
      const ring = parseRing(ringValue, `${polygonAt}/${index}`)
      left -= ring.length / 2
      if (left < 0) throw new ShapeError(at, `has more than ${MAX_POSITIONS} positions in all; simplify it`)
      return ring
    })
  if (type === 'Polygon') return [parsePolygon(coordinates, at)]
  if (type === 'MultiPolygon')
    return parseList(coordinates, at, 'polygons').map((polygon, index) => parsePolygon(polygon, `${at}/${index}`))
  throw new ShapeError(`${pointer}/type`, 'must be "Polygon" or "MultiPolygon"')
}

function parseRing(value: unknown, pointer: string): Ring {
  const ring = parsePositions(value, pointer, MAX_POSITIONS)
  if (ring.length < 8) throw new ShapeError(pointer, 'must have four positions or more, the last the same as the first')
  if (ring[0] !== ring.at(-2) || ring[1] !== ring.at(-1))
    throw new ShapeError(pointer, 'is not closed: repeat its first position at the end')
  if (signedArea(ring) === 0) throw new ShapeError(pointer, 'encloses nothing')
  if (intersectsItself(ring))
    throw new ShapeError(pointer, 'crosses itself; give the positions in order around the ring')
  return ring
}

export const MAX_POINTS = 500
export const BUFFER_KM = { least: 0.1, most: 100 } as const

const ROUTE_EXAMPLE = '{"line": [[7.49, 9.06], [7.44, 10.52]], "buffer_km": 5}'

/** Parses a line and the width of the buffer around it; throws `ShapeError`. */
export function parseRoute(value: unknown, pointer: string, places: Places): Route {
  const { line, buffer_km: bufferKm } = parseMembers(value, ['line', 'buffer_km'], pointer, ROUTE_EXAMPLE)
  const { least, most } = BUFFER_KM
  if (typeof bufferKm !== 'number' || !(bufferKm >= least && bufferKm <= most))
    throw new ShapeError(`${pointer}/buffer_km`, `must be a number from ${least} to ${most}`)
  const at = `${pointer}/line`
  const points = parsePositions(line, at, MAX_POINTS)
  requireNigeria(boxOf([points]), at, places)
  const route = routeOf(points, bufferKm)
  if (route.line.length < 4)
    throw new ShapeError(at, 'must have two different points or more; for a single point use near and radius_km')
  return route
}

/** Reports only a shape's first error: a thousand positions may all be wrong in the same way. */
export class ShapeError extends Error {
  readonly error: FieldError
  constructor(pointer: string, message: string) {
    super(`${pointer} ${message}`)
    this.error = { pointer, message }
  }
}

export function parseMembers<Name extends string>(
  value: unknown,
  names: readonly Name[],
  pointer: string,
  example: string,
): Partial<Record<Name, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ShapeError(pointer, `must be an object, as ${example}`)
  for (const name of Object.keys(value)) {
    if (!(names as readonly string[]).includes(name))
      throw new ShapeError(pointer, `has a member that is unknown, ${JSON.stringify(name)}; the form is ${example}`)
  }
  return value
}

export function parseList(value: unknown, pointer: string, what: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value
  throw new ShapeError(pointer, `must be a list of ${what} that is not empty`)
}

/** Parses positions into `lng, lat, lng, lat, …`; drops the altitude that GeoJSON allows. */
export function parsePositions(value: unknown, pointer: string, max: number): Float64Array {
  const positions = parseList(value, pointer, 'positions, each [longitude, latitude]')
  if (positions.length > max)
    throw new ShapeError(pointer, `has ${positions.length} positions, more than ${max}; simplify it`)
  return Float64Array.from(positions.flatMap((position, at) => parsePosition(position, `${pointer}/${at}`)))
}

function parsePosition(position: unknown, pointer: string): [number, number] {
  if (!Array.isArray(position) || position.length < 2 || position.length > 3 || !position.every(Number.isFinite))
    throw new ShapeError(pointer, 'must be two numbers: [longitude, latitude]')
  const [lng, lat] = position as [number, number]
  if (Math.abs(lng) > 180) throw new ShapeError(pointer, `longitude ${lng} must lie between -180 and 180`)
  if (Math.abs(lat) > 90)
    throw new ShapeError(pointer, `latitude ${lat} must lie between -90 and 90; the order is [longitude, latitude]`)
  // Adding 0 turns -0 into 0: the two would have different texts.
  return [lng + 0, lat + 0]
}

/** The part of the Gulf of Guinea from which piracy is reported. */
const WATERS: Box = { west: 2.5, south: 2.5, east: 9, north: 6.5 }
/** A point farther than this from every LGA's centre lies outside Nigeria. */
const MAX_CENTRE_DISTANCE_KM = 75

/** Rejects shapes outside Nigeria, which never match; most have longitude and latitude swapped. */
export function requireNigeria(box: Box, pointer: string, places: Places): void {
  if (reachesNigeria(box, places)) return
  const swapped = { west: box.south, south: box.west, east: box.north, north: box.east }
  const hint = reachesNigeria(swapped, places)
    ? '; the order is [longitude, latitude], and with the two swapped it would lie in Nigeria'
    : ', where every incident is'
  throw new ShapeError(pointer, `lies outside Nigeria${hint}`)
}

function reachesNigeria(box: Box, { lgas }: Places): boolean {
  const around = expandBox(box, MAX_CENTRE_DISTANCE_KM)
  return boxesIntersect(box, WATERS) || lgas.some(({ lat, lng }) => isInBox(around, lat, lng))
}
