import { isInBox } from '../../lib/geometry.ts'
import { type Ring, signedArea } from '../../lib/rings.ts'
import { type Area, areaOf } from '../locating/area.ts'
import { type AreaNames, areaNames } from './area-names.ts'

export interface NamedArea extends AreaNames {
  /** Position in the file, from 1. */
  readonly number: number
  readonly area: Area
  /** The same rings by polygon: the outer one first, then its holes. */
  readonly polygons: readonly (readonly Ring[])[]
  /** Errors in its rings, as sentences. */
  readonly problems: readonly string[]
}

export class BoundariesFormatError extends Error {
  override name = 'BoundariesFormatError'
}

/** Throws if the text is no FeatureCollection of polygons; a feature's errors are in `problems`. */
export function readFeatures(text: string): NamedArea[] {
  const content = parse(text)
  if (!isRecord(content) || content.type !== 'FeatureCollection' || !Array.isArray(content.features)) {
    throw new BoundariesFormatError('the file is not a GeoJSON FeatureCollection')
  }
  return content.features.map((feature: unknown, at) => {
    const { properties, geometry } = isRecord(feature) ? feature : {}
    const { polygons, problems } = polygonsOf(geometry)
    return { number: at + 1, ...areaNames(properties), area: areaOf(polygons.flat()), polygons, problems }
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BoundariesFormatError('the file is not JSON')
  }
}

function polygonsOf(geometry: unknown): { polygons: Ring[][]; problems: string[] } {
  const { type, coordinates } = isRecord(geometry) ? geometry : {}
  const listed: unknown = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? coordinates : null
  if (!Array.isArray(listed))
    return { polygons: [], problems: ['the geometry is neither a Polygon nor a MultiPolygon'] }
  const problems: string[] = []
  const polygons = listed.map((rings: unknown) =>
    (Array.isArray(rings) ? rings : [rings]).flatMap((ring: unknown) => {
      const positions = positionsOf(ring)
      const fault = positions ? ringProblem(positions) : 'a ring is not a list of positions'
      if (fault) problems.push(fault)
      return fault ? [] : [positions!]
    }),
  )
  if (polygons.flat().length === 0 && problems.length === 0) problems.push('the geometry has no ring')
  return { polygons: polygons.filter((rings) => rings.length > 0), problems }
}

function positionsOf(ring: unknown): Ring | null {
  if (!Array.isArray(ring)) return null
  const positions = new Float64Array(ring.length * 2)
  for (const [at, position] of ring.entries()) {
    if (!Array.isArray(position)) return null
    const [lng, lat] = position as unknown[]
    if (typeof lng !== 'number' || typeof lat !== 'number') return null
    positions[at * 2] = lng
    positions[at * 2 + 1] = lat
  }
  return positions
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Nigeria with a margin; detects files of other countries and coordinates in metres. */
const NIGERIA = { west: 2.3, south: 3.8, east: 15, north: 14.2 }

/** Describes why the ring encloses no area in Nigeria; null where it is valid. */
function ringProblem(ring: Ring): string | null {
  if (ring.length < 8) return 'a ring has fewer than four positions'
  for (let at = 0; at < ring.length; at += 2) {
    const lng = ring[at]!
    const lat = ring[at + 1]!
    if (!isInBox(NIGERIA, lat, lng)) return `a position lies outside Nigeria: ${lng}, ${lat}`
  }
  if (ring[0] !== ring[ring.length - 2] || ring[1] !== ring[ring.length - 1]) return 'a ring is not closed'
  if (signedArea(ring) === 0) return 'a ring encloses nothing'
  return null
}
