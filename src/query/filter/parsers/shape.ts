import type { FieldError } from '../../../domain/errors.ts'
import type { Places } from '../../../domain/places.ts'
import { type Box, boxesMeet, inBox, widened } from '../../../lib/geometry/geometry.ts'

/** The first thing that is wrong with a drawn shape: of a thousand positions that are wrong alike, one is enough to be told. */
export class Fault extends Error {
  readonly error: FieldError
  constructor(pointer: string, message: string) {
    super(`${pointer} ${message}`)
    this.error = { pointer, message }
  }
}

export function readMembers<Name extends string>(
  value: unknown,
  names: readonly Name[],
  pointer: string,
  example: string,
): Partial<Record<Name, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault(pointer, `must be an object, as ${example}`)
  for (const name of Object.keys(value)) {
    if (!(names as readonly string[]).includes(name))
      throw new Fault(
        pointer,
        `has a member that is not known here, ${JSON.stringify(name)}; it is written as ${example}`,
      )
  }
  return value
}

export function readList(value: unknown, pointer: string, what: string): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0) return value
  throw new Fault(pointer, `must be a list of ${what} that is not empty`)
}

/** Positions as `lng, lat, lng, lat, …`; a height, which GeoJSON allows, is left out. */
export function readPositions(value: unknown, pointer: string, most: number): Float64Array {
  const positions = readList(value, pointer, 'positions, each [longitude, latitude]')
  if (positions.length > most)
    throw new Fault(pointer, `has ${positions.length} positions, more than ${most}; simplify it`)
  return Float64Array.from(positions.flatMap((position, at) => readPosition(position, `${pointer}/${at}`)))
}

function readPosition(position: unknown, pointer: string): [number, number] {
  if (!Array.isArray(position) || position.length < 2 || position.length > 3 || !position.every(Number.isFinite))
    throw new Fault(pointer, 'must be two numbers: [longitude, latitude]')
  const [lng, lat] = position as [number, number]
  if (Math.abs(lng) > 180) throw new Fault(pointer, `longitude ${lng} must lie between -180 and 180`)
  if (Math.abs(lat) > 90)
    throw new Fault(pointer, `latitude ${lat} must lie between -90 and 90; the order is [longitude, latitude]`)
  // -0 would be another text for 0.
  return [lng + 0, lat + 0]
}

/** The gulf as far as piracy is reported from it. */
const WATERS: Box = { west: 2.5, south: 2.5, east: 9, north: 6.5 }
/** Farther than this from every LGA's centre is no longer Nigeria. */
const FARTHEST_FROM_CENTRE_KM = 75

/** What lies elsewhere would never be told of anything; mostly its numbers stand in the wrong order. */
export function mustReachNigeria(box: Box, pointer: string, places: Places): void {
  if (reachesNigeria(box, places)) return
  const swapped = { west: box.south, south: box.west, east: box.north, north: box.east }
  const hint = reachesNigeria(swapped, places)
    ? '; the order is [longitude, latitude], and with the two swapped it would lie in Nigeria'
    : ', where every incident is'
  throw new Fault(pointer, `lies outside Nigeria${hint}`)
}

function reachesNigeria(box: Box, { lgas }: Places): boolean {
  const around = widened(box, FARTHEST_FROM_CENTRE_KM)
  return boxesMeet(box, WATERS) || lgas.some(({ lat, lng }) => inBox(around, lat, lng))
}
