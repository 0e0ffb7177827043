import type { Box } from '../../lib/geometry/geometry.ts'
import type { Tile } from '../../query/tile.ts'

/**
 * The world as map tiles see it (Web Mercator): a square of 2³⁰ by 2³⁰ steps of 4 cm, x to the east and y to the south, so that a
 * tile at zoom z is a shift by 30 − z, and a place belongs to exactly one tile of each zoom.
 */
export const MERCATOR_BITS = 30
const SIZE = 2 ** MERCATOR_BITS
const LAST = SIZE - 1
const DEGREE = Math.PI / 180

/** Never falls as longitude rises. */
export function mercatorX(lng: number): number {
  return within(Math.floor((lng / 360 + 0.5) * SIZE))
}

/** Never rises as latitude does. What lies beyond the map's edge, at 85.05°, counts as on it. */
export function mercatorY(lat: number): number {
  const sine = Math.sin(lat * DEGREE)
  return within(Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * SIZE))
}

function within(step: number): number {
  return Math.min(LAST, Math.max(0, step))
}

/** The western edge of a step. */
export function lngAt(x: number): number {
  return (x / SIZE - 0.5) * 360
}

/** The northern edge of a step; the poles at the map's ends, for what lies beyond them counts as on them. */
export function latAt(y: number): number {
  if (y <= 0) return 90
  if (y >= SIZE) return -90
  return Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / SIZE))) / DEGREE
}

/** By how many bits a step is shifted to give its tile's number. */
export function tileShift({ z }: Tile): number {
  return MERCATOR_BITS - z
}

/** The tile in degrees, edges included. */
export function boxOf(tile: Tile): Box {
  const side = 2 ** tileShift(tile)
  return {
    west: lngAt(tile.x * side),
    south: latAt((tile.y + 1) * side),
    east: lngAt((tile.x + 1) * side),
    north: latAt(tile.y * side),
  }
}

/** The steps of a box, and one more on every side: rounding must not shut out what an exact look would let in. */
export function mercatorBoxAround({ west, south, east, north }: Box): Box {
  return {
    west: mercatorX(west) - 1,
    south: mercatorY(south) + 1,
    east: mercatorX(east) + 1,
    north: mercatorY(north) - 1,
  }
}
