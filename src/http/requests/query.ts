import type { FastifyRequest } from 'fastify'

/** The query string, without its question mark. */
export function queryOf(request: FastifyRequest): string {
  const start = request.raw.url!.indexOf('?')
  return start < 0 ? '' : request.raw.url!.slice(start + 1)
}
