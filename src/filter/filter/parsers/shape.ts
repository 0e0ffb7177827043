import type { FieldError } from '../../../domain/errors.ts'
import type { Places } from '../../../domain/places.ts'
import { type Box, boxesIntersect, expandBox, isInBox } from '../../../lib/geometry.ts'

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
