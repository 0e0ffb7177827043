import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { BoundedCache } from '../../lib/bounded-cache.ts'
import { Semaphore } from '../../lib/concurrency.ts'
import { MAX_CACHED_HEADER_LENGTH, parseWeights } from './accept.ts'

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
    encoding = choose(header)
    if (header.length <= MAX_CACHED_HEADER_LENGTH) encodingByHeader.set(header, encoding)
  }
  return encoding
}

/** For downloads: gzip, unlike br, keeps up with the network. */
export function acceptsGzip(header: string | undefined): boolean {
  const weights = parseWeights(header ?? '')
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}

function choose(header: string): Encoding {
  const weights = parseWeights(header)
  const weight = (name: string) => weights.get(name) ?? weights.get('*') ?? 0
  if (weight('br') > 0 && weight('br') >= weight('gzip')) return 'br'
  return weight('gzip') > 0 ? 'gzip' : 'identity'
}
