import type { FastifyInstance } from 'fastify'

/** Accepts what a page's form sends; an empty form has no body. */
export function acceptForms(server: FastifyInstance): void {
  server.addContentTypeParser<string>(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 1024 },
    (_request, body, done) => done(null, new URLSearchParams(body)),
  )
}
