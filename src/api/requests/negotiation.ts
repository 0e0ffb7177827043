import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyRequest } from 'fastify'
import { isLanguage, type Language, preferredLanguage } from '../../domain/languages.ts'
import { FORMAT_NAMES, FORMATS, type FormatName } from '../../filter/listing.ts'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { Semaphore } from '../../lib/concurrency.ts'
import { queryOf } from './parameters.ts'

const formatByHeader = new BoundedCache<string, FormatName | null>(1000)
/**
 * Longer headers are parsed each time: a cache of them would hold megabytes that a client chose.
 */
export const MAX_CACHED_HEADER_LENGTH = 300

/** Returns the format that `Accept` prefers, JSON by default; null if it accepts none. */
export function formatFor(header: string | undefined): FormatName | null {
  if (header === undefined || header === '*/*') return 'json'
  let format = formatByHeader.get(header)
  if (format === undefined) {
    format = chooseFormat(header)
    if (header.length <= MAX_CACHED_HEADER_LENGTH) formatByHeader.set(header, format)
  }
  return format
}

function chooseFormat(header: string): FormatName | null {
  const weights = parseWeights(header)
  let best: FormatName | null = null
  let bestWeight = 0
  for (const name of FORMAT_NAMES) {
    const type = FORMATS[name]
    const any = `${type.slice(0, type.indexOf('/'))}/*`
    const weight = weights.get(type) ?? weights.get(any) ?? weights.get('*/*') ?? 0
    if (weight > bestWeight) {
      best = name
      bestWeight = weight
    }
  }
  return best
}

/** Parses `Accept`, `Accept-Encoding` and the like into weights from 0 to 1 (RFC 9110). */
export function parseWeights(header: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>()
  for (const part of header.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, quality === undefined ? 1 : Number(quality.slice(2)) || 0)
  }
  return weights
}

/** A browser that opens a link accepts `text/html` and sends no key; an API client differs. */
export function asksForPage({ headers }: FastifyRequest): boolean {
  return headers.authorization === undefined && /\btext\/html\b/.test(headers.accept ?? '')
}

export type Encoding = 'br' | 'gzip' | 'identity'

/** Comes within a few per cent of the quality that takes ten times as long. */
export const BROTLI_QUALITY = 5
export const GZIP_LEVEL = 6

const compressors = {
  br: (bytes: Uint8Array) =>
    promisify(brotliCompress)(bytes, {
      params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
    }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: GZIP_LEVEL }),
} as const

/** Compressing a smaller response saves no packet. */
const MIN_COMPRESSED_BYTES = 1200

/** Of the four threads of the pool, one is left to files, and of all cores, one to requests. */
const compressions = new Semaphore(Math.max(1, Math.min(3, availableParallelism() - 1)))

/** Waits for a turn: strangers who ask for ever other pages must not take every core. */
export function inTurn<Result>(compression: () => Promise<Result>): Promise<Result> {
  return compressions.run(compression)
}

/** Runs in zlib's thread pool, not on the main thread. */
export function compress(bytes: Uint8Array, encoding: Exclude<Encoding, 'identity'>): Promise<Uint8Array> {
  return inTurn(() => compressors[encoding](bytes))
}

const encodingByHeader = new BoundedCache<string, Encoding>(1000)

/** Chooses by `Accept-Encoding` (RFC 9110); br before gzip at equal weight. */
export function encodingFor(header: string | undefined, size: number): Encoding {
  if (header === undefined || size < MIN_COMPRESSED_BYTES) return 'identity'
  let encoding = encodingByHeader.get(header)
  if (encoding === undefined) {
    encoding = chooseEncoding(header)
    if (header.length <= MAX_CACHED_HEADER_LENGTH) encodingByHeader.set(header, encoding)
  }
  return encoding
}

/** For downloads: gzip, unlike br, keeps up with the network. */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = parseWeights(header ?? '')
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}

function chooseEncoding(header: string): Encoding {
  const weights = parseWeights(header)
  const weight = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  if (weight('br') > 0 && weight('br') >= weight('gzip')) return 'br'
  return weight('gzip') > 0 ? 'gzip' : 'identity'
}

/** More preferences than any browser sends; the rest is not read. */
const MAX_PREFERENCES = 20

/** The language of a page: `?lang=ha`, else the first of `Accept-Language` that we have. */
export function requestLanguage(request: FastifyRequest): Language {
  return languageInAddress(request) ?? preferredLanguage(acceptedLanguages(request.headers['accept-language'] ?? ''))
}

/** Null if the address names none that we have. */
export function languageInAddress(request: FastifyRequest): Language | null {
  const asked = new URLSearchParams(queryOf(request)).get('lang')
  return isLanguage(asked) ? asked : null
}

/** Returns `['ha-NG', 'en']` for `en;q=0.5, ha-NG`. */
export function acceptedLanguages(header: string): string[] {
  return header
    .split(',', MAX_PREFERENCES)
    .map((part) => {
      const [tag, ...parameters] = part.split(';')
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find(Boolean)
      return { tag: tag!.trim(), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)
}
