import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor } from '../requests/encoding.ts'
import type { CachedBody } from './cached-body.ts'

export interface Caching {
  readonly cacheControl: string
  /** The request's headers that decide the answer. */
  readonly vary: string
}

/** A client may keep an answer, but must ask whether it still holds. */
export const CACHING: Caching = { cacheControl: 'private, no-cache', vary: 'Accept-Encoding' }
/** Where `Accept` chooses among several formats. */
export const CACHING_BY_FORMAT: Caching = { ...CACHING, vary: 'Accept, Accept-Encoding' }
/** For what changes with a release or a restart: a week in a browser's cache saves a slow line much. */
export const CACHING_FOR_A_WEEK: Caching = { ...CACHING, cacheControl: 'public, max-age=604800' }

/** Sends prepared bytes: 304 where the client has them, compressed where it likes that. */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: CachedBody,
  contentType: string,
  { cacheControl, vary } = CACHING,
): FastifyReply | Promise<FastifyReply> {
  reply.header('etag', answer.etag)
  reply.header('cache-control', cacheControl)
  reply.header('vary', addToVary(reply, vary))
  if (matchesEtag(request.headers['if-none-match'], answer.etag)) return reply.status(304).send()
  const encoding = encodingFor(request.headers['accept-encoding'], answer.body.length)
  reply.header('content-type', contentType)
  if (encoding === 'identity') return reply.send(answer.body)
  const bytes = answer.as(encoding)
  reply.header('content-encoding', encoding)
  return bytes instanceof Promise ? bytes.then((compressed) => reply.send(compressed)) : reply.send(bytes)
}

/** Weak comparison (RFC 9110): encodings aside, the same. */
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
