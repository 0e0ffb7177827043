import { worldPosition } from '../filter/overview-map.ts'
import type { Box } from '../lib/geometry.ts'
import { memoize } from '../lib/memoize.ts'

const TILE_PIXELS = 512
const DEGREE = Math.PI / 180
/** A single place still shows what is around it. */
const MAX_ZOOM = 9
/** The edge of Web Mercator, whose poles are infinitely far away. */
const MAX_LATITUDE = 85.05

export interface Projection {
  readonly width: number
  readonly height: number
  /** The zoom of the tiles whose marks fit: whole, and never finer than the picture. */
  readonly markZoom: number
  /** Pixels of a position in degrees. */
  at(lng: number, lat: number): readonly [x: number, y: number]
  /** Pixels of a position in shares of the world, as tiles count. */
  atShare(x: number, y: number): readonly [x: number, y: number]
  /** Pixels of a distance at the centre of the picture. */
  pixelsOf(kilometres: number): number
  /** The extent of the picture, in degrees. */
  readonly shown: Box
}

/** Web Mercator, with the box in the middle of the picture and a margin around it. */
export function fitBox(box: Box, width: number, height: number, margin = 24): Projection {
  const { x: left, y: top } = worldPosition(box.west, onMap(box.north))
  const { x: right, y: bottom } = worldPosition(box.east, onMap(box.south))
  const fit = Math.min((width - 2 * margin) / (right - left), (height - 2 * margin) / (bottom - top))
  const world = Math.min(fit, TILE_PIXELS * 2 ** MAX_ZOOM)
  const [centreX, centreY] = [(left + right) / 2, (top + bottom) / 2]
  const atShare = (x: number, y: number) =>
    [(x - centreX) * world + width / 2, (y - centreY) * world + height / 2] as const
  const latitude = (box.north + box.south) / 2
  return {
    width,
    height,
    markZoom: Math.max(0, Math.floor(Math.log2(world / TILE_PIXELS))),
    at(lng, lat) {
      const { x, y } = worldPosition(lng, lat)
      return atShare(x, y)
    },
    atShare,
    pixelsOf: (kilometres) => (kilometres / (40_075 * Math.cos(latitude * DEGREE))) * world,
    shown: {
      west: lngOf(centreX - width / 2 / world),
      east: lngOf(centreX + width / 2 / world),
      north: latOf(centreY - height / 2 / world),
      south: latOf(centreY + height / 2 / world),
    },
  }
}

function onMap(lat: number): number {
  return Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat))
}

function lngOf(x: number): number {
  return (x - 0.5) * 360
}

function latOf(y: number): number {
  return (2 * Math.atan(Math.exp((0.5 - y) * 2 * Math.PI)) - Math.PI / 2) / DEGREE
}

type Ring = readonly (readonly [lng: number, lat: number])[]

export interface StateShape {
  readonly code: string
  readonly name: string
  readonly rings: readonly Ring[]
  readonly box: Box
}

interface StateFeatures {
  readonly features: readonly {
    readonly properties: { readonly code: string; readonly name: string }
    readonly geometry:
      | { readonly type: 'Polygon'; readonly coordinates: readonly Ring[] }
      | { readonly type: 'MultiPolygon'; readonly coordinates: readonly (readonly Ring[])[] }
  }[]
}

export const readStateShapes = memoize((statesGeoJson: Buffer): readonly StateShape[] => {
  const { features } = JSON.parse(statesGeoJson.toString()) as StateFeatures
  return features.map(({ properties: { code, name }, geometry }) => {
    const rings = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()
    return { code, name, rings, box: boxOf(rings) }
  })
})

export function boxOf(rings: readonly Ring[]): Box {
  const box = { west: 180, south: 90, east: -180, north: -90 }
  for (const [lng, lat] of rings.flat()) {
    box.west = Math.min(box.west, lng)
    box.east = Math.max(box.east, lng)
    box.south = Math.min(box.south, lat)
    box.north = Math.max(box.north, lat)
  }
  return box
}

export function overlaps(one: Box, other: Box): boolean {
  return one.west <= other.east && other.west <= one.east && one.south <= other.north && other.south <= one.north
}

/** Path data in whole pixels; points that fall together are drawn once. */
export function shapePath({ rings }: StateShape, projection: Projection): string {
  return rings
    .map((ring) => {
      const points: string[] = []
      for (const [lng, lat] of ring) {
        const [x, y] = projection.at(lng, lat)
        const point = `${Math.round(x)} ${Math.round(y)}`
        if (points.at(-1) !== point) points.push(point)
      }
      return points.length < 3 ? '' : `M${points.join('L')}Z`
    })
    .join('')
}

/**
 * The middle of the state, if the point lies inside it: a label elsewhere would name a neighbour.
 */
export function labelPosition({ rings, box }: StateShape): readonly [lng: number, lat: number] | null {
  const [lng, lat] = [(box.west + box.east) / 2, (box.south + box.north) / 2]
  return rings.reduce((inside, ring) => inside !== ringContains(ring, lng, lat), false) ? [lng, lat] : null
}

function ringContains(ring: Ring, lng: number, lat: number): boolean {
  let inside = false
  for (let index = 0; index < ring.length; index++) {
    const [x, y] = ring[index]!
    const [lastX, lastY] = ring.at(index - 1)!
    if (y > lat !== lastY > lat && lng < ((lastX - x) * (lat - y)) / (lastY - y) + x) inside = !inside
  }
  return inside
}
