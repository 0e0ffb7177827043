import { type FieldError, invalidParameters } from '../domain/errors.ts'

/** A map tile: at zoom z the world has 2^z by 2^z tiles, counted from the north-west corner. */
export interface Tile {
  readonly z: number
  readonly x: number
  readonly y: number
}

/** Beyond this zoom (tiles of 600 m) the map enlarges tiles: few locations are more precise. */
export const MAX_ZOOM = 16

export function parseTile(texts: Readonly<Record<'z' | 'x' | 'y', string>>): Tile {
  const z = wholeNumber(texts.z)
  if (z === null || z > MAX_ZOOM)
    throw invalidParameters([{ parameter: 'z', message: `must be a whole number from 0 to ${MAX_ZOOM}` }])
  const max = 2 ** z - 1
  const [x, y] = [wholeNumber(texts.x), wholeNumber(texts.y)]
  const message = `must be a whole number from 0 to ${max} at zoom ${z}`
  const errors: FieldError[] = []
  if (x === null || x > max) errors.push({ parameter: 'x', message })
  if (y === null || y > max) errors.push({ parameter: 'y', message })
  if (x === null || y === null || errors.length > 0) throw invalidParameters(errors)
  return { z, x, y }
}

function wholeNumber(text: string): number | null {
  return /^(0|[1-9]\d{0,9})$/.test(text) ? Number(text) : null
}

/** A tile is 512 pixels wide and has a grid of 8 × 8 cells, aligned with the world. */
export const TILE_PIXELS = 512
export const GRID_BITS = 3
const CELL_PIXELS = TILE_PIXELS >> GRID_BITS

/** A cluster is drawn within this radius, so that discs of neighbouring cells never touch. */
export const DISC_RADIUS_PIXELS = 20
const MARGIN = DISC_RADIUS_PIXELS / CELL_PIXELS

/** A coordinate within a tile has this many bits, in tiles and for the positions of clusters. */
export const EXTENT_BITS = 12

/**
 * Moves a coordinate so that a disc around it stays inside its cell; `cellBits` is the width of a
 * cell in bits. The upper bound is one unit of the tile's extent lower: discs at 20 pixels from
 * both sides of an edge would touch there.
 */
export function clampIntoCell(coordinate: number, cellBits: number): number {
  const width = 2 ** cellBits
  const start = Math.floor(coordinate / width) * width
  const unit = 2 ** (cellBits + GRID_BITS - EXTENT_BITS)
  return Math.min(Math.max(coordinate, start + MARGIN * width), start + (1 - MARGIN) * width - unit)
}
