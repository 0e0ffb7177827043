import type { Box } from '../../../lib/geometry/geometry.ts'
import type { Circle, Filter } from '../filter.ts'
import type { FilterParameter } from '../parameters.ts'
import { quote, type Reader } from './reader.ts'

export const MAX_RADIUS_KM = 500
const NUMBER = /^[+-]?(\d{1,15}(\.\d{0,15})?|\.\d{1,15})$/

export function readConfidence(reader: Reader): Pick<Filter, 'minConfidence' | 'maxConfidence'> {
  if (reader.parts('confidence') && reader.parts('min_confidence')) {
    reader.refuse('confidence', 'is the same as min_confidence; give one of the two')
  }
  const min = readWithin(reader, 'min_confidence', 0, 1) ?? readWithin(reader, 'confidence', 0, 1)
  const max = readWithin(reader, 'max_confidence', 0, 1)
  if (min !== null && max !== null && min > max)
    reader.refuse('max_confidence', `is below the least confidence asked for, ${min}`)
  return { minConfidence: min === 0 ? null : min, maxConfidence: max === 1 ? null : max }
}

export function readBox(reader: Reader): Box | null {
  const parts = reader.parts('bbox')
  if (parts === null) return null
  const [west, south, east, north] = parts.map(readNumber)
  if (parts.length !== 4 || west == null || south == null || east == null || north == null) {
    return reader.refuse('bbox', 'takes four numbers: west,south,east,north')
  }
  if (Math.abs(west) > 180 || Math.abs(east) > 180)
    return reader.refuse('bbox', 'west and east must lie between -180 and 180')
  if (Math.abs(south) > 90 || Math.abs(north) > 90)
    return reader.refuse('bbox', 'south and north must lie between -90 and 90')
  if (west > east)
    return reader.refuse('bbox', `west (${west}) is east of east (${east}); the order is west,south,east,north`)
  if (south > north)
    return reader.refuse('bbox', `south (${south}) is north of north (${north}); the order is west,south,east,north`)
  return { west, south, east, north }
}

export function readCircle(reader: Reader): Circle | null {
  const parts = reader.parts('near')
  const hasRadius = reader.parts('radius_km') !== null
  if (parts === null)
    return hasRadius ? reader.refuse('radius_km', 'needs near: the point to measure from, as lat,lng') : null
  if (!hasRadius) return reader.refuse('near', 'needs radius_km: how far around, in kilometres')
  const [lat, lng] = parts.map(readNumber)
  if (parts.length !== 2 || lat == null || lng == null) return reader.refuse('near', 'takes two numbers: lat,lng')
  if (Math.abs(lat) > 90)
    return reader.refuse('near', `latitude ${lat} must lie between -90 and 90; the order is lat,lng`)
  if (Math.abs(lng) > 180) return reader.refuse('near', `longitude ${lng} must lie between -180 and 180`)
  const radiusKm = readWithin(reader, 'radius_km', 0, MAX_RADIUS_KM)
  if (radiusKm === 0) return reader.refuse('radius_km', 'must be above 0')
  return radiusKm === null ? null : { lat, lng, radiusKm }
}

function readWithin(reader: Reader, name: FilterParameter, least: number, most: number): number | null {
  const text = reader.single(name)
  if (text === null) return null
  const value = readNumber(text)
  if (value !== null && value >= least && value <= most) return value
  return reader.refuse(name, `must be a number from ${least} to ${most}, not ${quote(text)}`)
}

function readNumber(text: string): number | null {
  // -0 would be another canonical text for 0; adding 0 makes it plain.
  return NUMBER.test(text) ? Number(text) + 0 : null
}
