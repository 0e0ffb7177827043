import { readFileSync } from 'node:fs'
import type { Lga, Places } from '../domain/places.ts'
import { type Box, isInBox } from '../lib/geometry.ts'
import { lazy } from '../lib/memoize.ts'
import { type Ring, signedArea } from '../lib/rings.ts'
import { type Area, areaOf } from './area-index.ts'
import { lgaRecords, toBox } from './data.ts'
import { places } from './places.ts'

export interface Boundaries extends Matching {
  /** Remarks for the log at startup; empty where everything matched. */
  readonly notes: readonly string[]
}

/** Reads the operator's file and matches its areas to the LGAs. Throws `BoundariesFormatError`. */
export function readBoundaries(file: string): Boundaries {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    throw new BoundariesFormatError(`LGA_BOUNDARIES: ${file}: ${(error as Error).message}`)
  }
  try {
    return boundariesOf(text)
  } catch (error) {
    if (error instanceof BoundariesFormatError)
      throw new BoundariesFormatError(`LGA_BOUNDARIES: ${file}: ${error.message}`)
    throw error
  }
}

export function boundariesOf(text: string): Boundaries {
  const areas = readFeatures(text)
  const usable = areas.filter(({ area }) => area.rings.length > 0)
  if (usable.length === 0) throw new BoundariesFormatError('the file has no polygon in Nigeria')
  const matching = matchAreas(usable, places)
  const faulty = areas.filter(({ problems }) => problems.length > 0)
  return {
    ...matching,
    notes: [...describeMatching(matching), ...faulty.map((area) => `${areaLabel(area)}: ${area.problems[0]}`)],
  }
}

export function describeMatching({ matches, unmatched, duplicates, missing }: Matching): string[] {
  return [
    ...matches
      .filter(({ by }) => by === 'place')
      .map(({ area, lga }) => `${areaLabel(area)} is matched to ${lga.name} (${lga.state.name}) by its location`),
    ...unmatched.map((area) => `${areaLabel(area)} is not a known LGA`),
    ...duplicates.map(({ area, lga }) => `${areaLabel(area)} is ${lga.name} (${lga.state.name}) a second time`),
    ...missing.map((lga) => `${lga.name} (${lga.state.name}) is missing`),
  ]
}

export function areaLabel({
  number,
  name,
  state,
}: {
  number: number
  name: string | null
  state: string | null
}): string {
  const where = state === null ? '' : ` (${state})`
  return name === null ? `feature ${number}, without a name` : `“${name}”${where}`
}

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

/** Properties that publishers of LGA boundaries use, in order of preference; case is ignored. */
const NAMES = [
  'lga', // this service's own /v1/places/lgas.geojson
  'shapeName', // geoBoundaries
  'ADM2_EN', // COD-AB
  'adm2_name', // COD-AB since 2024
  'admin2Name_en', // COD-AB, older
  'admin2Name',
  'lga_name', // GRID3
  'lganame', // GRID3, older
  'LGAName',
  'NAME_2', // GADM
]

const STATES = [
  'state_iso',
  'state_code_iso',
  'state',
  'ADM1_EN',
  'adm1_name',
  'admin1Name_en',
  'admin1Name',
  'state_name',
  'statename',
  'NAME_1',
]

export interface AreaNames {
  readonly name: string | null
  /** Null where the file does not state it, as geoBoundaries' files do not. */
  readonly state: string | null
}

export function areaNames(properties: unknown): AreaNames {
  const texts = new Map<string, string>()
  if (typeof properties === 'object' && properties !== null) {
    for (const [key, value] of Object.entries(properties)) {
      if (typeof value === 'string' && value.trim() !== '') texts.set(key.toLowerCase(), value.trim())
    }
  }
  const first = (keys: readonly string[]): string | null => {
    for (const key of keys) {
      const text = texts.get(key.toLowerCase())
      if (text !== undefined) return text
    }
    return null
  }
  return { name: first(NAMES), state: first(STATES) }
}

/** Two editions of an LGA's box overlap by more of their union than this; neighbours by less. */
const SAME_LGA_OVERLAP = 0.8
/** Least overlap for choosing between LGAs of the same name. */
const NAMESAKE_OVERLAP = 0.3
/** Largest distance, in degrees, between an area and the centre of an LGA without a box. */
const MAX_CENTRE_DISTANCE = 0.5

export interface Match {
  readonly lga: Lga
  readonly area: NamedArea
  /** Matched by name, or, where the name is unknown, by location. */
  readonly by: 'name' | 'place'
}

export interface Matching {
  readonly matches: readonly Match[]
  readonly unmatched: readonly NamedArea[]
  /** Areas whose LGA has already matched another area of the file. */
  readonly duplicates: readonly Match[]
  readonly missing: readonly Lga[]
}

const boxes = new Map(lgaRecords.map(({ code, box }) => [code, box && toBox(box)]))

/** Matches by name and state; without a state, by name and location; unknown names, by location. */
export function matchAreas(areas: readonly NamedArea[], places: Places): Matching {
  const matches = new Map<string, Match>()
  const duplicates: Match[] = []
  const unnamed: NamedArea[] = []
  for (const area of areas) {
    const lga = byName(area, places)
    if (!lga) unnamed.push(area)
    else if (matches.has(lga.code)) duplicates.push({ lga, area, by: 'name' })
    else matches.set(lga.code, { lga, area, by: 'name' })
  }
  const unmatched: NamedArea[] = []
  for (const area of unnamed) {
    const free = places.lgas.filter(({ code }) => !matches.has(code))
    const best = bestOverlap(area, free)
    if (best && best.overlap >= SAME_LGA_OVERLAP) matches.set(best.lga.code, { lga: best.lga, area, by: 'place' })
    else unmatched.push(area)
  }
  const missing = places.lgas.filter(({ code }) => !matches.has(code))
  return { matches: [...matches.values()], unmatched, duplicates, missing }
}

function byName(area: NamedArea, places: Places): Lga | null {
  if (area.name === null) return null
  const state = area.state === null ? null : places.findState(area.state)
  const found = places.findLga(area.name, state?.kind === 'found' ? [state.place.code] : null)
  if (found.kind === 'found') return state?.kind === 'found' || overlap(area, found.place) !== 0 ? found.place : null
  if (found.kind !== 'ambiguous') return null
  const best = bestOverlap(area, found.places)
  return best && best.overlap >= NAMESAKE_OVERLAP ? best.lga : null
}

function bestOverlap(area: NamedArea, lgas: readonly Lga[]): { lga: Lga; overlap: number } | null {
  let best: { lga: Lga; overlap: number } | null = null
  for (const lga of lgas) {
    const alike = overlap(area, lga) ?? overlapByCentre(area, lga)
    if (!best || alike > best.overlap) best = { lga, overlap: alike }
  }
  return best
}

/** Overlap of the two boxes, from 0 to 1; null where the LGA has no box. */
function overlap({ area }: NamedArea, lga: Lga): number | null {
  const box = boxes.get(lga.code)
  if (!box) return null
  const shared = size({
    west: Math.max(area.box.west, box.west),
    south: Math.max(area.box.south, box.south),
    east: Math.min(area.box.east, box.east),
    north: Math.min(area.box.north, box.north),
  })
  return shared === 0 ? 0 : shared / (size(area.box) + size(box) - shared)
}

/** For LGAs without a box: namesakes are states apart, so a near centre is enough. */
function overlapByCentre({ area: { box } }: NamedArea, { lat, lng }: Lga): number {
  const { west, south, east, north } = box
  const reach = {
    west: west - MAX_CENTRE_DISTANCE,
    south: south - MAX_CENTRE_DISTANCE,
    east: east + MAX_CENTRE_DISTANCE,
    north: north + MAX_CENTRE_DISTANCE,
  }
  return isInBox(reach, lat, lng) ? NAMESAKE_OVERLAP : 0
}

function size({ west, south, east, north }: Box): number {
  return Math.max(0, east - west) * Math.max(0, north - south)
}

/** Rounds to 1e-4 degrees, which is 11 m: enough at the zoom where LGAs are shown. */
const STEPS_PER_DEGREE = 1e4

export const statesGeoJson = lazy(() => readFileSync(new URL('data/states.geojson', import.meta.url)))

/** The LGAs' outlines from the operator's boundaries, in the form that `LGA_BOUNDARIES` takes. */
export function lgasGeoJson(matches: readonly Match[]): Buffer {
  const features = matches.map(({ lga: { code, name, state }, area }) => ({
    type: 'Feature',
    id: code,
    properties: { code, lga: name, state: state.name, state_code: state.code },
    geometry: { type: 'MultiPolygon', coordinates: area.polygons.map((rings) => rings.map(positions)) },
  }))
  return Buffer.from(JSON.stringify({ type: 'FeatureCollection', features }))
}

/** Rounds positions and drops those that become equal to the previous one. */
function positions(ring: Float64Array): [number, number][] {
  const all: [number, number][] = []
  for (let at = 0; at < ring.length; at += 2) {
    const lng = Math.round(ring[at]! * STEPS_PER_DEGREE) / STEPS_PER_DEGREE
    const lat = Math.round(ring[at + 1]! * STEPS_PER_DEGREE) / STEPS_PER_DEGREE
    const last = all.at(-1)
    if (last?.[0] !== lng || last[1] !== lat) all.push([lng, lat])
  }
  while (all.length < 4) all.push(all[0]!)
  return all
}
