import { existsSync, readFileSync } from 'node:fs'
import { type Boundaries, boundariesOf } from '../../src/geo/boundaries.ts'
import type { Locate } from '../../src/geo/geography.ts'
import { places } from '../../src/geo/places.ts'

const DATA = new URL('../../../shared/data/', import.meta.url)
const BOUNDARIES = new URL('nigeria_lga_boundaries.geojson', DATA)
const EVENTS = new URL('ucdp_ged_nigeria_1990_2019.csv', DATA)

/** A point and its LGA in the boundary file. */
export interface TruePoint {
  readonly lat: number
  readonly lng: number
  readonly lga: string
}

/** False, or the reason why there is no file to compare with. */
export const absent: false | string =
  existsSync(BOUNDARIES) && existsSync(EVENTS) ? false : `${DATA.pathname} is not there: nothing to compare with`

export function boundaryText(): string {
  return readFileSync(BOUNDARIES, 'utf8')
}

export interface Truth {
  readonly boundaries: Boundaries
  readonly events: readonly TruePoint[]
  readonly random: readonly TruePoint[]
}

/** The real events with `where_prec` 1 and `count` random points, each with its LGA. */
export function readTruth(count: number): Truth {
  const text = boundaryText()
  const truly = trueLga(text)
  const events = readEvents().flatMap(([lat, lng]) => truly(lat, lng))
  const random: TruePoint[] = []
  let state = 20_240_601
  const next = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  while (random.length < count) random.push(...truly(4.2 + next() * 9.8, 2.6 + next() * 12.2))
  return { boundaries: boundariesOf(text), events, random }
}

interface Feature {
  readonly properties: { readonly lga: string; readonly state_iso: string }
  readonly geometry: { readonly type: string; readonly coordinates: never }
}

/** Independent of src/geo, so that an error there does not also affect the truth. */
function trueLga(text: string): (lat: number, lng: number) => TruePoint[] {
  const areas = (JSON.parse(text) as { features: Feature[] }).features.map(({ properties, geometry }) => {
    const polygons: [number, number][][][] = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
    const rings = polygons.flat()
    const lats = rings.flatMap((ring) => ring.map(([, lat]) => lat))
    const found = places.findLga(properties.lga, [properties.state_iso])
    if (found.kind !== 'found') throw new Error(`${properties.lga} (${properties.state_iso}) is ${found.kind}`)
    return { lga: found.place.code, rings, south: Math.min(...lats), north: Math.max(...lats) }
  })
  return (lat, lng) => {
    const area = areas.find(
      ({ rings, south, north }) => lat >= south && lat <= north && crossings(rings, lat, lng) % 2 === 1,
    )
    return area ? [{ lat, lng, lga: area.lga }] : []
  }
}

/** Number of sides that a ray to the east crosses. */
function crossings(rings: readonly [number, number][][], lat: number, lng: number): number {
  let count = 0
  for (const ring of rings) {
    for (const [at, [toLng, toLat]] of ring.entries()) {
      const [fromLng, fromLat] = ring[at - 1] ?? [toLng, toLat]
      if (fromLat > lat === toLat > lat) continue
      if (fromLng + ((lat - fromLat) / (toLat - fromLat)) * (toLng - fromLng) > lng) count++
    }
  }
  return count
}

function readEvents(): [lat: number, lng: number][] {
  const [head, , ...rows] = readCsv(readFileSync(EVENTS, 'utf8'))
  const [precision, lat, lng] = ['where_prec', 'latitude', 'longitude'].map((name) => head!.indexOf(name))
  return rows.filter((row) => Number(row[precision!]) === 1).map((row) => [Number(row[lat!]), Number(row[lng!])])
}

function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain!)
    if (end !== ',') rows.push([])
  }
  return rows.filter((row) => row.length > 1)
}

export interface Shares {
  readonly state: number
  readonly lga: number
}

/** Percentage of the points that are located in their state and in their LGA. */
export function shareRight(points: readonly TruePoint[], locate: Locate): Shares {
  let state = 0
  let lga = 0
  for (const point of points) {
    const found = locate(point.lat, point.lng)
    if (found.kind !== 'located') continue
    if (point.lga.startsWith(`${found.state.code}-`)) state++
    if (point.lga === found.lga.code) lga++
  }
  return { state: (100 * state) / points.length, lga: (100 * lga) / points.length }
}
