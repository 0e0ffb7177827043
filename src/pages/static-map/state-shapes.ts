import type { Box } from '../../lib/geometry.ts'
import type { Projection } from './projection.ts'

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

export function readStateShapes(statesGeoJson: Buffer): StateShape[] {
  const { features } = JSON.parse(statesGeoJson.toString()) as StateFeatures
  return features.map(({ properties: { code, name }, geometry }) => {
    const rings = geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat()
    return { code, name, rings, box: boxOf(rings) }
  })
}

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
