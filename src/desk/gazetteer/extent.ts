import { distanceKm } from '../../lib/geometry.ts'

export interface Extent {
  readonly lat: number
  readonly lng: number
  /** 0 for a point. */
  readonly radiusKm: number
}

/** The middle of a geometry and the distance to its corners; null where it has no position. */
export function extentOf(coordinates: unknown): Extent | null {
  let west = Infinity
  let south = Infinity
  let east = -Infinity
  let north = -Infinity
  // A list instead of recursion: a hostile file may nest deeper than the stack.
  const rest: unknown[] = [coordinates]
  while (rest.length > 0) {
    const value = rest.pop()
    if (!Array.isArray(value)) continue
    if (typeof value[0] !== 'number' || typeof value[1] !== 'number') {
      for (const each of value) rest.push(each)
      continue
    }
    west = Math.min(west, value[0])
    east = Math.max(east, value[0])
    south = Math.min(south, value[1])
    north = Math.max(north, value[1])
  }
  if (west === Infinity) return null
  const lat = (south + north) / 2
  const lng = (west + east) / 2
  return { lat: rounded(lat), lng: rounded(lng), radiusKm: distanceKm(lat, lng, north, east) }
}

function rounded(degrees: number): number {
  return Math.round(degrees * 1e6) / 1e6
}
