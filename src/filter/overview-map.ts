import type { Box } from '../lib/geometry.ts'

/** All of Nigeria with a little margin: what the map shows at first. */
export const OVERVIEW_BOX: Box = { west: 2.65, south: 4.2, east: 14.7, north: 13.95 }

/** The SVG map uses the pixels of Web Mercator at this zoom (tiles of 512), as whole numbers. */
const UNIT_ZOOM = 6
const UNITS_PER_WORLD = 512 * 2 ** UNIT_ZOOM
const DEGREE = Math.PI / 180

/** The width of the world in pixels at a zoom, with tiles of 512 pixels as MapLibre has them. */
export function worldPixels(zoom: number): number {
  return 512 * 2 ** zoom
}

/** The shares of the world to the west and to the north of a position (Web Mercator). */
export function worldPosition(lng: number, lat: number): { readonly x: number; readonly y: number } {
  const sine = Math.sin(lat * DEGREE)
  return { x: lng / 360 + 0.5, y: 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI) }
}

const NORTH_WEST = worldPosition(OVERVIEW_BOX.west, OVERVIEW_BOX.north)
const SOUTH_EAST = worldPosition(OVERVIEW_BOX.east, OVERVIEW_BOX.south)

/** The corner of the SVG map, in shares of the world. */
export const OVERVIEW_CORNER = NORTH_WEST
export const OVERVIEW_WIDTH = Math.ceil((SOUTH_EAST.x - NORTH_WEST.x) * UNITS_PER_WORLD)
export const OVERVIEW_HEIGHT = Math.ceil((SOUTH_EAST.y - NORTH_WEST.y) * UNITS_PER_WORLD)

/** Converts a position into the units of the SVG map. */
export function overviewPoint(x: number, y: number): { readonly x: number; readonly y: number } {
  return {
    x: Math.round((x - NORTH_WEST.x) * UNITS_PER_WORLD),
    y: Math.round((y - NORTH_WEST.y) * UNITS_PER_WORLD),
  }
}

/** The zoom at which marks have their size in pixels. */
export const OVERVIEW_ZOOM = 5
export const UNITS_PER_PIXEL = 2 ** (UNIT_ZOOM - OVERVIEW_ZOOM)

/**
 * The SVG map holds the clusters of these zooms: a phone shows Nigeria between zoom 4 and 5, a wide
 * screen from zoom 5 on, so the marks are those that the tiles have there.
 */
export const OVERVIEW_MARK_ZOOMS = [4, 5] as const
