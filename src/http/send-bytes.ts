import type { FastifyReply, FastifyRequest } from 'fastify'
import { encodingFor } from './encoding.ts'
import type { Prepared } from './prepared.ts'

/** Sends prepared bytes: 304 where the client has them, compressed where it likes that. */
export function sendBytes(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Prepared,
  contentType: string,
  cacheControl = 'private, no-cache',
): FastifyReply | Promise<FastifyReply> {
  reply.header('etag', answer.etag)
  reply.header('cache-control', cacheControl)
  reply.header('vary', varyWith(reply, 'Accept-Encoding'))
  if (hasAlready(request.headers['if-none-match'], answer.etag)) return reply.status(304).send()
  const encoding = encodingFor(request.headers['accept-encoding'], answer.body.length)
  reply.header('content-type', contentType)
  if (encoding === 'identity') return reply.send(answer.body)
  const bytes = answer.as(encoding)
  reply.header('content-encoding', encoding)
  return bytes instanceof Promise ? bytes.then((compressed) => reply.send(compressed)) : reply.send(bytes)
}

/** Weak comparison (RFC 9110): encodings aside, the same. */
export function hasAlready(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const opaque = etag.replace(/^W\//, '')
  return header.split(',').some((one) => one.trim().replace(/^W\//, '') === opaque)
}

export function varyWith(reply: FastifyReply, name: string): string {
  const present = reply.getHeader('vary')
  return present ? `${present}, ${name}` : name
}
