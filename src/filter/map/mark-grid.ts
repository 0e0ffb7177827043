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
