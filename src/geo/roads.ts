import { readFileSync } from 'node:fs'
import { isInBox } from '../lib/geometry.ts'

export class RoadsFormatError extends Error {
  override name = 'RoadsFormatError'
}

export interface Roads {
  /** A FeatureCollection of lines with `class`, and `ref` and `name` where known. */
  readonly geoJson: Buffer
  /** Remarks for the log at startup; empty where every feature is drawn. */
  readonly notes: readonly string[]
}

/** Nigeria with a margin; detects files of other countries and coordinates in metres. */
const NIGERIA = { west: 2, south: 3.5, east: 15.5, north: 14.5 }
/** Rounds to 1e-4 degrees, which is 11 m. */
const STEPS_PER_DEGREE = 1e4
/** A map of all roads of Nigeria would take minutes to load on a phone. */
const MAX_BYTES = 8_000_000
const MAX_NOTES = 20

/** Reads the operator's file. Throws a `RoadsFormatError` that names the file and the reason. */
export function readRoads(file: string): Roads {
  try {
    return roadsOf(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new RoadsFormatError(`MAP_ROADS: ${file}: ${(error as Error).message}`)
  }
}

export function roadsOf(text: string): Roads {
  const features = featuresIn(text)
  const skipped: string[] = []
  const roads = features.flatMap((feature, index) => {
    const { geometry, properties } = isRecord(feature) ? feature : {}
    const lines = linesOf(geometry)
    if (typeof lines === 'string') {
      skipped.push(`feature ${index + 1} is left out: ${lines}`)
      return []
    }
    const inNigeria = lines.filter((line) => line.some(([lng, lat]) => isInBox(NIGERIA, lat!, lng!)))
    if (inNigeria.length === 0) return []
    const coordinates = inNigeria.map(rounded)
    return [
      { type: 'Feature', properties: propertiesOf(properties), geometry: { type: 'MultiLineString', coordinates } },
    ]
  })
  if (roads.length === 0)
    throw new RoadsFormatError(`the file has no line in Nigeria${skipped.length > 0 ? `; ${skipped[0]}` : ''}`)
  const geoJson = Buffer.from(JSON.stringify({ type: 'FeatureCollection', features: roads }))
  if (geoJson.length > MAX_BYTES)
    throw new RoadsFormatError(
      `its roads take ${geoJson.length} bytes, more than ${MAX_BYTES}; keep the main roads, or simplify them`,
    )
  return { geoJson, notes: firstOf(skipped) }
}

function firstOf(skipped: readonly string[]): string[] {
  const more = skipped.length - MAX_NOTES
  return more > 0 ? [...skipped.slice(0, MAX_NOTES), `${more} more features are left out`] : [...skipped]
}

function featuresIn(text: string): readonly unknown[] {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new RoadsFormatError('the file is not JSON')
  }
  if (!isRecord(content) || content.type !== 'FeatureCollection' || !Array.isArray(content.features))
    throw new RoadsFormatError('the file is not a GeoJSON FeatureCollection')
  return content.features
}

type Line = readonly (readonly number[])[]

/** The lines of a geometry, or why there are none. */
function linesOf(geometry: unknown): readonly Line[] | string {
  const { type, coordinates } = isRecord(geometry) ? geometry : {}
  const lines: unknown = type === 'LineString' ? [coordinates] : type === 'MultiLineString' ? coordinates : null
  if (!Array.isArray(lines)) return 'its geometry is neither a LineString nor a MultiLineString'
  return lines.every(isLine) ? lines : 'a line is not a list of two positions or more, each [longitude, latitude]'
}

function isLine(line: unknown): line is Line {
  return (
    Array.isArray(line) &&
    line.length >= 2 &&
    line.every((position) => Array.isArray(position) && position.length >= 2 && position.every(Number.isFinite))
  )
}

function rounded(line: Line): number[][] {
  const step = (degrees: number) => Math.round(degrees * STEPS_PER_DEGREE) / STEPS_PER_DEGREE
  const positions = line.map(([lng, lat]) => [step(lng!), step(lat!)])
  const kept = positions.filter((position, index) => index === 0 || String(position) !== String(positions[index - 1]))
  return kept.length > 1 ? kept : positions.slice(0, 2)
}

function propertiesOf(given: unknown): Record<string, string> {
  const properties = isRecord(given) ? given : {}
  const kept = ['ref', 'name'].flatMap((name) => {
    const value = properties[name]
    return typeof value === 'string' && value !== '' ? [[name, value.slice(0, 60)]] : []
  })
  return { class: roadClassOf(properties), ...Object.fromEntries(kept) }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

export const ROAD_CLASSES = ['motorway', 'trunk', 'primary', 'secondary', 'tertiary', 'other'] as const
export type RoadClass = (typeof ROAD_CLASSES)[number]

/**
 * The properties that name a road's class in OpenStreetMap, its extracts, Natural Earth and gROADS.
 */
const PROPERTIES = ['class', 'highway', 'fclass', 'type', 'FCLASS'] as const

/** Other sources' words, in lower case. */
const WORDS: Readonly<Record<string, RoadClass>> = {
  'major highway': 'trunk',
  'secondary highway': 'secondary',
  beltway: 'motorway',
  bypass: 'trunk',
  road: 'tertiary',
  '1': 'motorway',
  '2': 'primary',
  '3': 'secondary',
  '4': 'tertiary',
}

/** The class of a road by its properties; `other` where none of them names one. */
export function roadClassOf(properties: Readonly<Record<string, unknown>>): RoadClass {
  for (const name of PROPERTIES) {
    const word = String(properties[name] ?? '')
      .toLowerCase()
      .replace(/_link$/, '')
    const known = ROAD_CLASSES.find((each) => each === word) ?? WORDS[word]
    if (known !== undefined) return known
  }
  return 'other'
}
