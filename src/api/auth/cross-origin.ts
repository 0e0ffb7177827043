import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../domain/errors.ts'
import type { Key } from '../../domain/keys.ts'
import type { Endpoint } from '../contract/endpoint.ts'

const EXPOSED =
  'Accept-Ranges, Content-Disposition, Content-Range, ETag, Link, RateLimit, RateLimit-Policy, Retry-After, Stale-Seconds, X-Request-Id'

const PREFLIGHT = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET',
  'access-control-allow-headers': 'Authorization, Accept, If-None-Match, If-Range, Last-Event-ID, Range',
  'access-control-max-age': '86400',
}

/** Only these take a body from other sites: elsewhere a page could write in its reader's name. */
const QUERY_PREFLIGHT = {
  ...PREFLIGHT,
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'Authorization, Accept, Content-Type',
}

/** A preflight has no key: every browser may try to read; the key of the read then decides. */
export function answerPreflights(server: FastifyInstance, endpoints: readonly Endpoint[]): void {
  for (const url of ['/v1/*', '/incidents', '/incidents/*']) {
    server.options(url, (_request, reply) => reply.status(204).headers(PREFLIGHT).send())
  }
  for (const { path } of endpoints.filter(({ readsOnly }) => readsOnly)) {
    server.options(path, (_request, reply) => reply.status(204).headers(QUERY_PREFLIGHT).send())
  }
}

/**
 * Allows the origins of a publishable key, and returns a problem for others; a web page cannot read
 * responses to a secret key.
 */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, key: Key): Problem | undefined {
  if (key.kind !== 'publishable') return undefined
  reply.header('access-control-expose-headers', EXPOSED)
  if (key.origins.length === 0) {
    reply.header('access-control-allow-origin', '*')
    return undefined
  }
  reply.header('vary', 'Origin')
  const origin = originOf(request)
  if (origin === undefined || !key.origins.includes(origin)) {
    return new Problem('origin_not_allowed', `This key is bound to ${key.origins.join(', ')}.`)
  }
  reply.header('access-control-allow-origin', origin)
  return undefined
}

/** Requests to the page's own host have no Origin; browsers send `Sec-Fetch-Site` instead. */
function originOf({ headers, protocol, host }: FastifyRequest): string | undefined {
  return headers.origin ?? (headers['sec-fetch-site'] === 'same-origin' ? `${protocol}://${host}` : undefined)
}
