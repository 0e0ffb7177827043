import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../domain/errors.ts'
import { sliceChunks } from '../../downloads/chunks.ts'
import { GzipFiles } from '../../downloads/month-file-cache.ts'
import type { MonthFile } from '../../downloads/month-files.ts'
import type { CountedResponse } from '../connections.ts'
import { acceptsGzip, encodingFor, inTurn } from '../requests/negotiation.ts'
import type { CachedBody } from './cached-body.ts'

export interface Caching {
  readonly cacheControl: string
  /** The request headers that select the response. */
  readonly vary: string
}

/** Clients must revalidate a cached response before each use. */
export const CACHING: Caching = { cacheControl: 'private, no-cache', vary: 'Accept-Encoding' }
/** For endpoints where `Accept` selects the format. */
export const CACHING_BY_FORMAT: Caching = { ...CACHING, vary: 'Accept, Accept-Encoding' }
/**
 * For data that changes only with a release or restart; helps slow connections. Private: a shared
 * cache would answer others without their key.
 */
export const CACHING_FOR_A_WEEK: Caching = { ...CACHING, cacheControl: 'private, max-age=604800' }

/**
 * Sends 304 if the client has the body, otherwise the body in its preferred encoding. The answer to
 * a POST has no `ETag`: caches keep none of them, and RFC 9110 gives `If-None-Match` another
 * meaning.
 */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  cached: CachedBody,
  contentType: string,
  { cacheControl, vary } = CACHING,
): FastifyReply | Promise<FastifyReply> {
  const isPost = request.method === 'POST'
  if (!isPost) reply.header('etag', cached.etag)
  reply.header('cache-control', isPost ? 'no-store' : cacheControl)
  reply.header('vary', addToVary(reply, vary))
  if (!isPost && matchesEtag(request.headers['if-none-match'], cached.etag)) {
    // A cache keeps the headers that a 304 does not replace: an earlier one may have been stale.
    if (!reply.hasHeader('stale-seconds')) reply.header('stale-seconds', 0)
    return reply.status(304).send()
  }
  const encoding = encodingFor(request.headers['accept-encoding'], cached.body.length)
  reply.header('content-type', contentType)
  if (encoding === 'identity') {
    if (cached.isPooled) holdWhileSent(reply, cached)
    return reply.send(cached.body)
  }
  const bytes = cached.encodedAs(encoding)
  reply.header('content-encoding', encoding)
  return bytes instanceof Promise ? bytes.then((compressed) => reply.send(compressed)) : reply.send(bytes)
}

/** The response releases it when its last byte was handed over, or when the connection is lost. */
function holdWhileSent(reply: FastifyReply, cached: CachedBody): void {
  cached.hold()
  ;(reply.raw as CountedResponse).body = cached
}

/** Weak comparison (RFC 9110): the encoding does not matter. */
export function matchesEtag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque)
}

export function addToVary(reply: FastifyReply, name: string): string {
  const present = reply.getHeader('vary')
  return present ? `${present}, ${name}` : name
}

/** Hexadecimal digits: 128 bits of the SHA-256, so that no two files share an ETag. */
const ETAG_CHARACTERS = 32

const gzipFiles = new GzipFiles(inTurn)

/** Streams a file, a range or gzip at the client's speed, with a few chunks in memory. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: MonthFile,
  contentType: string,
  name: string,
  subject: string,
): FastifyReply {
  const { headers } = request
  const opaque = file.sha256.slice(0, ETAG_CHARACTERS)
  const plainEtag = `"${opaque}"`
  const gzipEtag = `"${opaque}-gzip"`
  const range = ifRangeMatches(headers['if-range']?.toString(), plainEtag)
    ? parseRange(headers.range, file.bytes)
    : null
  // A range counts uncompressed bytes; its position in the compressed file is unknown.
  const gzip = range === null && acceptsGzip(headers['accept-encoding'])
  reply.headers({
    etag: gzip ? gzipEtag : plainEtag,
    'cache-control': 'private, no-cache',
    'accept-ranges': 'bytes',
    vary: addToVary(reply, 'Accept-Encoding'),
  })
  if ([plainEtag, gzipEtag].some((etag) => matchesEtag(headers['if-none-match'], etag))) return reply.status(304).send()
  if (range === 'unsatisfiable') throw unsatisfiable(file.bytes)
  reply.headers({ 'content-type': contentType, 'content-disposition': `attachment; filename="${name}"` })
  const { start, end } = range ?? { start: 0, end: file.bytes }
  if (range !== null) reply.status(206).header('content-range', `bytes ${start}-${end - 1}/${file.bytes}`)
  if (gzip) reply.header('content-encoding', 'gzip')
  else reply.header('content-length', end - start)
  if (request.method === 'HEAD') return reply.send(Readable.from([]))
  return reply.send(Readable.from(content(), { objectMode: false }))

  function content(): AsyncIterable<Uint8Array> {
    if (gzip) return gzipFiles.read(name, file.sha256, () => file.chunks(subject))
    return range === null ? file.chunks(subject) : sliceChunks(file.chunks(subject), start, end)
  }
}

function unsatisfiable(bytes: number): Problem {
  return new Problem('range_not_satisfiable', `The file has ${bytes} bytes, from 0 to ${bytes - 1}.`, {
    headers: { 'content-range': `bytes */${bytes}` },
  })
}

/** In bytes; `end` is excluded. */
export interface Range {
  readonly start: number
  readonly end: number
}

const SINGLE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/i

/**
 * Parses `Range` (RFC 9110). Null means the whole file, as the RFC allows for other units, several
 * ranges and malformed headers.
 */
export function parseRange(header: string | undefined, size: number): Range | 'unsatisfiable' | null {
  const match = SINGLE_RANGE.exec(header?.trim() ?? '')
  if (!match) return null
  const [, first, last, suffix] = match
  if (suffix !== undefined) {
    return Number(suffix) === 0 ? 'unsatisfiable' : { start: Math.max(0, size - Number(suffix)), end: size }
  }
  const start = Number(first)
  const end = last === '' ? size : Math.min(size, Number(last) + 1)
  if (last !== '' && Number(last) < start) return null
  return start >= size ? 'unsatisfiable' : { start, end }
}

/** True if `If-Range` is missing or names exactly this file (strong comparison). */
export function ifRangeMatches(header: string | undefined, etag: string): boolean {
  return header === undefined || header.trim() === etag
}
