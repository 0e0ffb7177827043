import type { Places } from '../../../domain/places.ts'
import { boxOf } from '../../../lib/geometry.ts'
import { intersectsItself, type Ring, signedArea } from '../../../lib/rings.ts'
import { type Region, regionOf } from '../region.ts'
import { parseList, parseMembers, parsePositions, requireNigeria, ShapeError } from './shape.ts'

export const MAX_POSITIONS = 1000

const EXAMPLE = '{"type": "Polygon", "coordinates": [[[7.3, 10.4], [7.5, 10.4], [7.4, 10.6], [7.3, 10.4]]]}'

const HINTS: ReadonlyMap<unknown, string> = new Map([
  ['Feature', '; give the geometry of the Feature'],
  ['FeatureCollection', '; give the geometry of one of its features'],
])

/** Parses a GeoJSON Polygon or MultiPolygon; throws `ShapeError`. */
export function parseRegion(value: unknown, pointer: string, places: Places): Region {
  const typed = value as { type?: unknown } | null | undefined
  const hint = HINTS.get(typed?.type)
  if (hint) throw new ShapeError(`${pointer}/type`, `must be "Polygon" or "MultiPolygon"${hint}`)
  const { type, coordinates } = parseMembers(value, ['type', 'coordinates', 'bbox'], pointer, EXAMPLE)
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
