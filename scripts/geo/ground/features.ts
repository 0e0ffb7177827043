import type { Feature, Geometry } from 'geojson'
import { simplify } from '../sources/topology.ts'
import { type Box, clipLine, clipRing, isInside } from './clip.ts'
import { RIVER_NAMES } from './names.ts'
import type { Position, ShapeRecord } from './shapefile.ts'
import type { Town } from './towns.ts'

/** Nigeria and what a map of it shows of its neighbours: drawn in detail. */
export const NEAR: Box = [1.5, 2.5, 16.5, 15.5]
/** As far as the map can be moved; what lies far away is drawn roughly. */
export const FAR: Box = [-26, -20, 44, 38]

/** Tolerances in degrees of lines near and far. */
const [NEAR_TOLERANCE, FAR_TOLERANCE, RIVER_TOLERANCE] = [0.012, 0.12, 0.006]
/** Smaller islands far away are left out; in square degrees. */
const [NEAR_AREA, FAR_AREA] = [0.002, 0.2]

export type GroundFeature = Feature<Geometry, { kind: string; name?: string; rank?: number }>

export function toleranceOf(line: readonly Position[]): number {
  return line.some((point) => isInside(NEAR, point)) ? NEAR_TOLERANCE : FAR_TOLERANCE
}

/**
 * Cuts polygons at the far box and rounds them; drops islands and holes that are too small to see.
 */
export function landFeature(polygons: readonly (readonly (readonly Position[])[])[]): GroundFeature {
  const kept = polygons.flatMap((rings) => {
    const cut = rings.map((ring) => rounded(clipRing(ring, FAR))).filter(isVisible)
    return cut.length === 0 || !isVisible(rounded(clipRing(rings[0]!, FAR))) ? [] : [cut]
  })
  return {
    type: 'Feature',
    properties: { kind: 'land' },
    geometry: { type: 'MultiPolygon', coordinates: kept },
  }
}

export function borderFeature(lines: readonly (readonly Position[])[]): GroundFeature {
  const coordinates = lines.flatMap((line) => clipLine(line, FAR)).map(rounded)
  return { type: 'Feature', properties: { kind: 'border' }, geometry: { type: 'MultiLineString', coordinates } }
}

export function lakeFeature(name: string, rings: readonly (readonly Position[])[]): GroundFeature {
  const coordinates = rings.map(rounded)
  return { type: 'Feature', properties: { kind: 'lake', name }, geometry: { type: 'Polygon', coordinates } }
}

/** The rivers near Nigeria, of the ranks given; pieces of one river and rank are one feature. */
export function riverFeatures(records: readonly ShapeRecord[], ranks: readonly number[]): GroundFeature[] {
  const rivers = new Map<string, { name: string; rank: number; coordinates: Position[][] }>()
  for (const { parts, fields } of records) {
    const rank = Number(fields.scalerank)
    if (!ranks.includes(rank)) continue
    const lines = parts.flatMap((part) => clipLine(part, NEAR)).map((line) => rounded(simplify(line, RIVER_TOLERANCE)))
    // The line through a lake continues the river; it needs no name of its own.
    const name = fields.featurecla === 'River' ? (RIVER_NAMES[fields.name!] ?? fields.name!) : ''
    const key = `${rank} ${name}`
    const river = rivers.get(key) ?? { name, rank, coordinates: [] }
    river.coordinates.push(...lines)
    rivers.set(key, river)
  }
  return [...rivers.values()]
    .filter(({ coordinates }) => coordinates.length > 0)
    .map(({ name, rank, coordinates }) => ({
      type: 'Feature',
      properties: { kind: 'river', ...(name === '' ? {} : { name }), rank },
      geometry: { type: 'MultiLineString', coordinates },
    }))
}

export function townFeature({ name, rank, lat, lng }: Town): GroundFeature {
  return { type: 'Feature', properties: { kind: 'town', name, rank }, geometry: pointAt([lng, lat]) }
}

export function nameFeature(kind: 'country' | 'sea' | 'river-name', name: string, at: Position): GroundFeature {
  return { type: 'Feature', properties: { kind, name }, geometry: pointAt(at) }
}

function pointAt(position: Position): Geometry {
  return { type: 'Point', coordinates: roundedPosition(position) }
}

function rounded(line: readonly Position[]): Position[] {
  const positions = line.map(roundedPosition)
  return positions.filter((position, index) => index === 0 || String(position) !== String(positions[index - 1]))
}

/** To 100 m near Nigeria, to a kilometre elsewhere. */
function roundedPosition(position: Position): Position {
  const digits = isInside(NEAR, position) ? 3 : 2
  return [Number(position[0].toFixed(digits)), Number(position[1].toFixed(digits))]
}

function isVisible(ring: readonly Position[]): boolean {
  if (ring.length < 4) return false
  const area = Math.abs(
    ring.reduce((sum, [x, y], index) => {
      const [nextX, nextY] = ring[(index + 1) % ring.length]!
      return sum + (x * nextY - nextX * y) / 2
    }, 0),
  )
  return area >= (ring.some((point) => isInside(NEAR, point)) ? NEAR_AREA : FAR_AREA)
}
