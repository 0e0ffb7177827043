import type { Tile } from '../../filter/tile.ts'
import type { Box } from '../../lib/geometry.ts'

/**
 * Web Mercator: a square of 2³⁰ by 2³⁰ steps of 4 cm, x to the east and y to the south. The tile at
 * zoom z is a shift by 30 − z, so a point belongs to exactly one tile of each zoom.
 */
export const MERCATOR_BITS = 30
const SIZE = 2 ** MERCATOR_BITS
const LAST = SIZE - 1
const DEGREE = Math.PI / 180

/** Converts a longitude; monotonic, so that boxes can be compared in these coordinates. */
export function mercatorX(lng: number): number {
  return within(Math.floor((lng / 360 + 0.5) * SIZE))
}

/** Converts a latitude; monotonic, falling to the north. Beyond ±85.05°, returns the map's edge. */
export function mercatorY(lat: number): number {
  const sine = Math.sin(lat * DEGREE)
  return within(Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * SIZE))
}

function within(step: number): number {
  return Math.min(LAST, Math.max(0, step))
}

/** Returns the longitude of the western edge of a step. */
export function lngAt(x: number): number {
  return (x / SIZE - 0.5) * 360
}

/** Returns the latitude of a step's northern edge; the poles at both ends: `mercatorY` clamps. */
export function latAt(y: number): number {
  if (y <= 0) return 90
  if (y >= SIZE) return -90
  return Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / SIZE))) / DEGREE
}

/** Returns by how many bits a coordinate is shifted to get its tile's number. */
export function tileShift({ z }: Tile): number {
  return MERCATOR_BITS - z
}

/**
 * Returns a box in degrees around the tile, one step wider on each side: an incident a hair west of
 * an edge may be rounded into the tile east of it.
 */
export function boxAroundTile(tile: Tile): Box {
  const side = 2 ** tileShift(tile)
  return {
    west: lngAt(tile.x * side - 1),
    south: latAt((tile.y + 1) * side + 1),
    east: lngAt((tile.x + 1) * side + 1),
    north: latAt(tile.y * side - 1),
  }
}

/** Converts a box, one step wider on each side: rounding must exclude no point of it. */
export function mercatorBoxAround({ west, south, east, north }: Box): Box {
  return {
    west: mercatorX(west) - 1,
    south: mercatorY(south) + 1,
    east: mercatorX(east) + 1,
    north: mercatorY(north) - 1,
  }
}
