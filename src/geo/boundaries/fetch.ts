import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export const GEOBOUNDARIES = 'https://www.geoboundaries.org/api/current/gbOpen/NGA/ADM2/'

/** The simplified file has 2 MB, the full one 40. */
const MOST_BYTES = 128 * 1024 * 1024
const LONGEST_MS = 120_000

export interface FetchedBoundaries {
  readonly bytes: Uint8Array
  /** The file or address the bytes came from. */
  readonly source: string
  /** As the publisher states it; null for a file or address of the operator's own. */
  readonly licence: string | null
  /** Publisher, edition and year, where they are told. */
  readonly edition: string | null
}

export class BoundariesFetchError extends Error {
  override name = 'BoundariesFetchError'
}

/** A file, an http(s) address, or, without either, the current edition that geoBoundaries' API names. */
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
    // What geoBoundaries does not know it calls "nan".
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
    const response = await fetch(address, { signal: AbortSignal.timeout(LONGEST_MS) })
    if (!response.ok) throw new Error(`it answered ${response.status}`)
    return await bodyOf(response)
  } catch (error) {
    const { message, cause } = error as Error
    throw new BoundariesFetchError(`${address} cannot be fetched: ${cause instanceof Error ? cause.message : message}`)
  }
}

/** Stops at the limit instead of filling the memory with whatever is sent. */
async function bodyOf(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > MOST_BYTES) throw new Error(`it is larger than ${MOST_BYTES} bytes`)
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
