import type { FastifyInstance } from 'fastify'
import { Problem } from '../domain/errors.ts'

const SHORT_FORM_BYTES = 1024

/** Accepts what a page's form sends; an empty form has no body. */
export function acceptForms(server: FastifyInstance, bodyLimit = SHORT_FORM_BYTES): void {
  server.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    (request, body, done) => {
      const isEncoded = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase() !== 'identity'
      if (isEncoded) done(new Problem('unsupported_media_type', 'A form is sent without Content-Encoding.'))
      else done(null, new URLSearchParams(body))
    },
  )
}
