import type { Places } from '../../../domain/places.ts'
import { boxOf } from '../../../lib/geometry/geometry.ts'
import { crossesItself, type Ring, signedArea } from '../../../lib/geometry/ring.ts'
import { type Region, regionOf } from '../region.ts'
import { Fault, mustReachNigeria, readList, readMembers, readPositions } from './shape.ts'

export const MOST_POSITIONS = 1000

const EXAMPLE = '{"type": "Polygon", "coordinates": [[[7.3, 10.4], [7.5, 10.4], [7.4, 10.6], [7.3, 10.4]]]}'

const INSTEAD: ReadonlyMap<unknown, string> = new Map([
  ['Feature', '; give the geometry of the Feature'],
  ['FeatureCollection', '; give the geometry of one of its features'],
])

/** A GeoJSON Polygon or MultiPolygon; throws `Fault`. */
export function readRegion(value: unknown, pointer: string, places: Places): Region {
  const typed = value as { type?: unknown } | null | undefined
  const instead = INSTEAD.get(typed?.type)
  if (instead) throw new Fault(`${pointer}/type`, `must be "Polygon" or "MultiPolygon"${instead}`)
  const { type, coordinates } = readMembers(value, ['type', 'coordinates', 'bbox'], pointer, EXAMPLE)
  const polygons = readPolygons(type, coordinates, pointer)
  mustReachNigeria(boxOf(polygons.flat()), `${pointer}/coordinates`, places)
  return regionOf(polygons)
}

function readPolygons(type: unknown, coordinates: unknown, pointer: string): Ring[][] {
  const at = `${pointer}/coordinates`
  let left = MOST_POSITIONS
  const readPolygon = (value: unknown, polygonAt: string): Ring[] =>
    readList(value, polygonAt, 'rings, each a list of positions').map((ringValue, index) => {
      const ring = readRing(ringValue, `${polygonAt}/${index}`)
      left -= ring.length / 2
      if (left < 0) throw new Fault(at, `has more than ${MOST_POSITIONS} positions in all; simplify it`)
      return ring
    })
  if (type === 'Polygon') return [readPolygon(coordinates, at)]
  if (type === 'MultiPolygon')
    return readList(coordinates, at, 'polygons').map((polygon, index) => readPolygon(polygon, `${at}/${index}`))
  throw new Fault(`${pointer}/type`, 'must be "Polygon" or "MultiPolygon"')
}

function readRing(value: unknown, pointer: string): Ring {
  const ring = readPositions(value, pointer, MOST_POSITIONS)
  if (ring.length < 8) throw new Fault(pointer, 'must have four positions or more, the last the same as the first')
  if (ring[0] !== ring.at(-2) || ring[1] !== ring.at(-1))
    throw new Fault(pointer, 'is not closed: repeat its first position at the end')
  if (signedArea(ring) === 0) throw new Fault(pointer, 'encloses nothing')
  if (crossesItself(ring)) throw new Fault(pointer, 'crosses itself; give the positions in the order around it')
  return ring
}
