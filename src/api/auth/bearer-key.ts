import type { FastifyRequest } from 'fastify'
import { Problem } from '../../domain/errors.ts'
import { KEY_KINDS } from '../../domain/keys.ts'
import { queryOf } from '../requests/parameters.ts'

/** Null if there is no key; a problem if one stands where or as it must not. */
export function readKey(request: FastifyRequest, keyInQuery: boolean | undefined): string | null | Problem {
  const inQuery = keyInQuery ? readQueryKey(request) : null
  return inQuery instanceof Problem ? inQuery : (readBearerKey(request.headers.authorization) ?? inQuery)
}

function readQueryKey(request: FastifyRequest): string | null | Problem {
  const query = queryOf(request)
  // Most queries name none, and are not parsed for it. A name may be percent-encoded.
  if (!query.includes('key') && !query.includes('%')) return null
  const text = new URLSearchParams(query).get('key')
  if (!text?.startsWith(KEY_KINDS.live)) return text
  return new Problem(
    'secret_key_in_url',
    'A secret key must not be in a URL, because logs and browser histories store URLs. Rotate it, and use a publishable key (inf_pub_…) here, or the Authorization header.',
  )
}

function readBearerKey(header: string | undefined): string | null | Problem {
  if (header === undefined) return null
  if (header.slice(0, 7).toLowerCase() === 'bearer ') return header.slice(7).trim()
  return new Problem('malformed_key', 'The Authorization header must read: Bearer <key>.')
}
