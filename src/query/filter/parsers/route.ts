import type { Places } from '../../../domain/places.ts'
import { boxOf } from '../../../lib/geometry/geometry.ts'
import { type Route, routeOf } from '../route.ts'
import { Fault, mustReachNigeria, readMembers, readPositions } from './shape.ts'

export const MOST_POINTS = 500
export const BUFFER_KM = { least: 0.1, most: 100 } as const

const EXAMPLE = '{"line": [[7.49, 9.06], [7.44, 10.52]], "buffer_km": 5}'

/** A line and how far from it counts; throws `Fault`. */
export function readRoute(value: unknown, pointer: string, places: Places): Route {
  const { line, buffer_km: bufferKm } = readMembers(value, ['line', 'buffer_km'], pointer, EXAMPLE)
  const { least, most } = BUFFER_KM
  if (typeof bufferKm !== 'number' || !(bufferKm >= least && bufferKm <= most))
    throw new Fault(`${pointer}/buffer_km`, `must be a number from ${least} to ${most}`)
  const at = `${pointer}/line`
  const points = readPositions(line, at, MOST_POINTS)
  mustReachNigeria(boxOf([points]), at, places)
  const route = routeOf(points, bufferKm)
  if (route.line.length < 4)
    throw new Fault(at, 'must have two different points or more; for a single one there are near and radius_km')
  return route
}
