import type { FastifyInstance } from 'fastify'

const SHORT_FORM_BYTES = 1024

/** Accepts what a page's form sends; an empty form has no body. */
export function acceptForms(server: FastifyInstance, bodyLimit = SHORT_FORM_BYTES): void {
  server.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    (_request, body, done) => done(null, new URLSearchParams(body)),
  )
}
