import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Incident } from '../domain/incident.ts'
import type { Lga, State } from '../domain/places.ts'
import { intersectsItself } from '../lib/rings.ts'
import {
  areaLabel,
  BoundariesFormatError,
  describeMatching,
  type Matching,
  matchAreas,
  type NamedArea,
  readFeatures,
} from './boundaries.ts'
import type { Locate } from './geography.ts'
import { places } from './places.ts'

export const GEOBOUNDARIES = 'https://www.geoboundaries.org/api/current/gbOpen/NGA/ADM2/'

/** The simplified file has 2 MB, the full one 40 MB. */
const MAX_BYTES = 128 * 1024 * 1024
const TIMEOUT_MS = 120_000

export interface FetchedBoundaries {
  readonly bytes: Uint8Array
  /** Path or URL of the file. */
  readonly source: string
  /** As stated by geoBoundaries; null for the operator's own file or URL. */
  readonly licence: string | null
  /** Publisher, edition and year, where known. */
  readonly edition: string | null
}

export class BoundariesFetchError extends Error {
  override name = 'BoundariesFetchError'
}

/** Fetches a file or an http(s) URL; null means the current edition in geoBoundaries' API. */
export async function fetchBoundaries(from: string | null, api: string = GEOBOUNDARIES): Promise<FetchedBoundaries> {
  if (from === null) return fromGeoBoundaries(api)
  if (/^https?:\/\//i.test(from)) return { bytes: await download(from), source: from, licence: null, edition: null }
  const path = from.startsWith('file:') ? fileURLToPath(from) : from
  try {
    return { bytes: await readFile(path), source: path, licence: null, edition: null }
  } catch (error) {
    throw new BoundariesFetchError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

async function fromGeoBoundaries(api: string): Promise<FetchedBoundaries> {
  const answer: unknown = parse(new TextDecoder().decode(await download(api)), api)
  const entry: unknown = Array.isArray(answer) ? answer[0] : answer
  const text = (key: string): string | null => {
    const value = typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>)[key] : null
    // geoBoundaries writes "nan" for unknown values.
    return typeof value === 'string' && !/^\s*(?:nan)?\s*$/i.test(value) ? value.trim() : null
  }
  if (text('boundaryISO') !== 'NGA' || text('boundaryType') !== 'ADM2') {
    throw new BoundariesFetchError(`${api} does not describe Nigeria's ADM2`)
  }
  const address = text('simplifiedGeometryGeoJSON') ?? text('gjDownloadURL')
  if (address === null || !URL.canParse(address)) throw new BoundariesFetchError(`${api} names no GeoJSON`)
  const licence = [text('boundaryLicense'), text('licenseDetail'), text('licenseSource')].filter(
    (part) => part !== null,
  )
  const edition = [text('boundarySource'), text('boundaryID'), text('boundaryYearRepresented')].filter(
    (part) => part !== null,
  )
  return {
    bytes: await download(address),
    source: address,
    licence: licence.length > 0 ? [...new Set(licence)].join('; ') : null,
    edition: edition.length > 0 ? edition.join(', ') : null,
  }
}

async function download(address: string): Promise<Uint8Array> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    return await bodyOf(response)
  } catch (error) {
    const { message, cause } = error as Error
    throw new BoundariesFetchError(`${address} cannot be fetched: ${cause instanceof Error ? cause.message : message}`)
  }
}

/** Reads at most `MAX_BYTES`, so that a huge response cannot exhaust the memory. */
async function bodyOf(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parse(text: string, address: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BoundariesFetchError(`${address} did not answer with JSON`)
  }
}

export interface BoundariesReport {
  /** True if the file may be installed. */
  readonly ok: boolean
  readonly sha256: string
  readonly bytes: number
  readonly polygons: number
  readonly matched: number
  /** Errors that forbid installing it. */
  readonly problems: readonly string[]
  readonly warnings: readonly string[]
  /** Null where the file could not be read at all. */
  readonly matching: Matching | null
}

/** Requires all 774 LGAs, each once, with rings that enclose an area. */
export function checkBoundaries(bytes: Uint8Array): BoundariesReport {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = { sha256, bytes: bytes.length }
  let areas: NamedArea[]
  try {
    areas = readFeatures(new TextDecoder().decode(bytes))
  } catch (error) {
    if (!(error instanceof BoundariesFormatError)) throw error
    return { ok: false, ...file, polygons: 0, matched: 0, problems: [error.message], warnings: [], matching: null }
  }
  const matching = matchAreas(areas, places)
  const byPlace = matching.matches.filter(({ by }) => by === 'place')
  const problems = [
    ...(areas.length === places.lgas.length ? [] : [`the file has ${areas.length} areas, not ${places.lgas.length}`]),
    ...describeMatching({ ...matching, matches: [] }),
    ...areas.flatMap((area) => area.problems.map((fault) => `${areaLabel(area)}: ${fault}`)),
  ]
  const warnings = [
    ...describeMatching({ matches: byPlace, unmatched: [], duplicates: [], missing: [] }),
    ...areas
      .filter(({ area }) => area.rings.some(intersectsItself))
      .map((area) => `${areaLabel(area)}: a ring crosses itself`),
  ]
  const counts = { polygons: areas.length, matched: matching.matches.length }
  return { ok: problems.length === 0, ...file, ...counts, problems, warnings, matching }
}

export interface Relocation<Item> {
  readonly incident: Item
  readonly state: State
  readonly lga: Lga
}

type Placed = Pick<Incident, 'lat' | 'lng'> & {
  readonly location: Pick<Incident['location'], 'precision' | 'lga_code' | 'lga_basis'>
}

/**
 * Finds incidents that `locate` puts into another LGA. Skips those whose LGA was reported by the
 * source, and those known only by LGA or state, which have no point to locate.
 */
export function* relocations<Item extends Placed>(
  incidents: Iterable<Item>,
  locate: Locate,
): Generator<Relocation<Item>> {
  for (const incident of incidents) {
    const { precision, lga_code, lga_basis } = incident.location
    if (lga_basis === 'reported' || precision === 'lga' || precision === 'state') continue
    const located = locate(incident.lat, incident.lng)
    if (located.kind === 'located' && located.lga.code !== lga_code) {
      yield { incident, state: located.state, lga: located.lga }
    }
  }
}
