import type { FastifyRequest } from 'fastify'
import { Problem } from '../../domain/errors.ts'

/** The version that the caller looked at; null for `*`, undefined where the header is missing. */
export function ifMatch(request: FastifyRequest): number | null | undefined {
  const header = request.headers['if-match']
  if (header === undefined) return undefined
  if (header.trim() === '*') return null
  const version = /^"(\d{1,9})"$/.exec(header.trim())?.[1]
  if (version === undefined) throw new Problem('malformed_request', 'If-Match takes a version in quotes, as "3", or *.')
  return Number(version)
}
