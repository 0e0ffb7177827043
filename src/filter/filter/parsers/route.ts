import type { Places } from '../../../domain/places.ts'
import { boxOf } from '../../../lib/geometry.ts'
import { type Route, routeOf } from '../route.ts'
import { parseMembers, parsePositions, requireNigeria, ShapeError } from './shape.ts'

export const MAX_POINTS = 500
export const BUFFER_KM = { least: 0.1, most: 100 } as const

const EXAMPLE = '{"line": [[7.49, 9.06], [7.44, 10.52]], "buffer_km": 5}'

/** Parses a line and the width of the buffer around it; throws `ShapeError`. */
export function parseRoute(value: unknown, pointer: string, places: Places): Route {
  const { line, buffer_km: bufferKm } = parseMembers(value, ['line', 'buffer_km'], pointer, EXAMPLE)
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
