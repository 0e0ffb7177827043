import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor } from '../requests/encoding.ts'
import type { CachedBody } from './cached-body.ts'
import type { CountedResponse } from './counted-response.ts'

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
