import type { FastifyInstance } from 'fastify'
import { invalidBody, Problem } from '../../domain/errors.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** No valid body nests this deep; the limit keeps recursion from overflowing the stack. */
const MAX_DEPTH = 32

/** Accepts JSON bodies only. An empty body is undefined, which the endpoint's schema judges. */
export function acceptJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    let value: unknown
    try {
      value = JSON.parse(decoder.decode(body))
    } catch (error) {
      const why = error instanceof SyntaxError ? error.message.replace(/\s+/g, ' ') : 'it is not valid UTF-8'
      return done(new Problem('malformed_json', `The body is not JSON: ${why}.`))
    }
    if (isDeeper(value, MAX_DEPTH))
      return done(invalidBody([{ pointer: '', message: `may nest up to ${MAX_DEPTH} levels of arrays and objects` }]))
    done(null, value)
  })
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1))
}
