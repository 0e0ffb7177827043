import type { Ring } from '../../lib/geometry/ring.ts'
import { type Area, areaOf } from '../locating/area.ts'
import { type AreaNames, areaNames } from './area-names.ts'
import { ringFault } from './ring-fault.ts'

export interface NamedArea extends AreaNames {
  /** Its place in the file, from 1. */
  readonly number: number
  readonly area: Area
  /** The same rings, polygon by polygon: the outer one first, then its holes. */
  readonly polygons: readonly (readonly Ring[])[]
  /** What is wrong with its rings, in words. */
  readonly faults: readonly string[]
}

export class BoundariesFormatError extends Error {
  override name = 'BoundariesFormatError'
}

/** A GeoJSON FeatureCollection of polygons. What cannot be one throws; what is wrong with a feature is said on it. */
export function readFeatures(text: string): NamedArea[] {
  const content = parse(text)
  if (!isRecord(content) || content.type !== 'FeatureCollection' || !Array.isArray(content.features)) {
    throw new BoundariesFormatError('it is not a GeoJSON FeatureCollection')
  }
  return content.features.map((feature: unknown, at) => {
    const { properties, geometry } = isRecord(feature) ? feature : {}
    const { polygons, faults } = polygonsOf(geometry)
    return { number: at + 1, ...areaNames(properties), area: areaOf(polygons.flat()), polygons, faults }
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BoundariesFormatError('it is not JSON')
  }
}

function polygonsOf(geometry: unknown): { polygons: Ring[][]; faults: string[] } {
  const { type, coordinates } = isRecord(geometry) ? geometry : {}
  const listed: unknown = type === 'Polygon' ? [coordinates] : type === 'MultiPolygon' ? coordinates : null
  if (!Array.isArray(listed)) return { polygons: [], faults: ['its geometry is neither a Polygon nor a MultiPolygon'] }
  const faults: string[] = []
  const polygons = listed.map((rings: unknown) =>
    (Array.isArray(rings) ? rings : [rings]).flatMap((ring: unknown) => {
      const positions = positionsOf(ring)
      const fault = positions ? ringFault(positions) : 'a ring is not a list of positions'
      if (fault) faults.push(fault)
      return fault ? [] : [positions!]
    }),
  )
  if (polygons.flat().length === 0 && faults.length === 0) faults.push('it has no ring')
  return { polygons: polygons.filter((rings) => rings.length > 0), faults }
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
