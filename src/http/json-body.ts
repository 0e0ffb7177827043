import type { FastifyInstance } from 'fastify'
import { Problem } from '../domain/errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** JSON and nothing else. No body at all is left to the schema to judge. */
export function acceptJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    try {
      done(null, JSON.parse(decoder.decode(body)))
    } catch (error) {
      const why = error instanceof SyntaxError ? error.message.replace(/\s+/g, ' ') : 'it is not valid UTF-8'
      done(new Problem('malformed_json', `The body is not JSON: ${why}.`))
    }
  })
}
