import type { Box } from '../../../lib/geometry.ts'
import { parseDecimal } from '../../../lib/text.ts'
import { quote } from '../../parameter-values.ts'
import type { Circle, Filter } from '../filter.ts'
import { CONFIDENCE, type FilterParameter, MAX_RADIUS_KM } from '../parameters.ts'
import type { FilterInput } from './input.ts'

export function parseConfidence(input: FilterInput): Pick<Filter, 'minConfidence' | 'maxConfidence'> {
  if (input.list('confidence') && input.list('min_confidence')) {
    input.reject('confidence', 'is the same as min_confidence; give one of the two')
  }
  const { minimum, maximum } = CONFIDENCE
  const min =
    parseWithin(input, 'min_confidence', minimum, maximum) ?? parseWithin(input, 'confidence', minimum, maximum)
  const max = parseWithin(input, 'max_confidence', minimum, maximum)
  if (min !== null && max !== null && min > max) input.reject('max_confidence', `is below min_confidence, ${min}`)
  return { minConfidence: min === 0 ? null : min, maxConfidence: max === 1 ? null : max }
}

export function parseBox(input: FilterInput): Box | null {
  const parts = input.list('bbox')
  if (parts === null) return null
  const [west, south, east, north] = parts.map(parseDecimal)
  if (parts.length !== 4 || west == null || south == null || east == null || north == null) {
    return input.reject('bbox', 'takes four numbers: west,south,east,north')
  }
  if (Math.abs(west) > 180 || Math.abs(east) > 180)
    return input.reject('bbox', 'west and east must lie between -180 and 180')
  if (Math.abs(south) > 90 || Math.abs(north) > 90)
    return input.reject('bbox', 'south and north must lie between -90 and 90')
  if (west > east)
    return input.reject('bbox', `west (${west}) is east of east (${east}); the order is west,south,east,north`)
  if (south > north)
    return input.reject('bbox', `south (${south}) is north of north (${north}); the order is west,south,east,north`)
  return { west, south, east, north }
}

export function parseCircle(input: FilterInput): Circle | null {
  const parts = input.list('near')
  const hasRadius = input.list('radius_km') !== null
  if (parts === null)
    return hasRadius ? input.reject('radius_km', 'needs near, the point to measure from, as lat,lng') : null
  if (!hasRadius) return input.reject('near', 'needs radius_km, the distance in kilometres')
  const [lat, lng] = parts.map(parseDecimal)
  if (parts.length !== 2 || lat == null || lng == null) return input.reject('near', 'takes two numbers: lat,lng')
  if (Math.abs(lat) > 90)
    return input.reject('near', `latitude ${lat} must lie between -90 and 90; the order is lat,lng`)
  if (Math.abs(lng) > 180) return input.reject('near', `longitude ${lng} must lie between -180 and 180`)
  const radiusKm = parseWithin(input, 'radius_km', 0, MAX_RADIUS_KM)
  if (radiusKm === 0) return input.reject('radius_km', 'must be above 0')
  return radiusKm === null ? null : { lat, lng, radiusKm }
}

function parseWithin(input: FilterInput, name: FilterParameter, least: number, most: number): number | null {
  const text = input.single(name)
  if (text === null) return null
  const value = parseDecimal(text)
  if (value !== null && value >= least && value <= most) return value
  return input.reject(name, `must be a number from ${least} to ${most}, not ${quote(text)}`)
}
