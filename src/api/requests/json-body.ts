import type { FastifyInstance, FastifyRequest } from 'fastify'
import { invalidBody, Problem } from '../../domain/errors.ts'
import { eventLoopShare } from '../../lib/event-loop-share.ts'
import { addressSubject } from './client-address.ts'
import { inflateBody, isGzipped } from './inflate-body.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** No valid body nests this deep; the limit keeps recursion from overflowing the stack. */
const MAX_DEPTH = 32
/** No valid object has more fields; each would be looked up in a schema. */
const MAX_FIELDS = 1000
/** No valid list is longer; each value would be compared with a schema. */
const MAX_VALUES = 10_000
/** Larger bodies are read one in each turn of the event loop: some take milliseconds. */
const SMALL_BYTES = 4096

type BodyDone = (error: Error | null, body?: unknown) => void

/**
 * Accepts JSON bodies, and others where the endpoint declares them, plain or with gzip. An empty
 * body is undefined, which the endpoint's schema judges.
 */
export function acceptJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  const accept = (type: string, read: (body: Buffer) => unknown, isTaken: (request: FastifyRequest) => boolean) =>
    server.addContentTypeParser<Buffer>(type, { parseAs: 'buffer' }, (request, body, done) => {
      try {
        if (!isTaken(request))
          throw new Problem('unsupported_media_type', 'The body must be sent with Content-Type: application/json.')
        const { bodyLimit } = request.routeOptions
        if (isGzipped(request.headers['content-encoding']))
          inflateBody(body, bodyLimit!).then((inflated) => readInTurn(request, inflated, read, done), done)
        else readInTurn(request, body, read, done)
      } catch (error) {
        done(error as Error)
      }
    })
  const isOtherType = (type: string) => (request: FastifyRequest) =>
    request.routeOptions.config.otherBodies?.includes(type) === true
  accept('application/json', parseBody, () => true)
  accept('application/geo+json', parseBody, isOtherType('application/geo+json'))
  accept('text/csv', decodeText, isOtherType('text/csv'))
}

function readInTurn(request: FastifyRequest, body: Buffer, read: (body: Buffer) => unknown, done: BodyDone): void {
  const finish = () => {
    try {
      done(null, read(body))
    } catch (error) {
      done(error as Error)
    }
  }
  if (body.length <= SMALL_BYTES) finish()
  else void eventLoopShare.nextSlice(`bodies of ${addressSubject(request)}`).then(finish)
}

function decodeText(body: Buffer): string {
  try {
    return decoder.decode(body)
  } catch {
    throw invalidBody([{ pointer: '', message: 'must be UTF-8' }])
  }
}

function parseBody(body: Buffer): unknown {
  if (body.length === 0) return undefined
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(body))
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message.replace(/\s+/g, ' ') : 'it is not valid UTF-8'
    throw new Problem('malformed_json', `The body is not JSON: ${why}.`)
  }
  const message = faultIn(value, MAX_DEPTH)
  if (message !== null) throw invalidBody([{ pointer: '', message }])
  return value
}

function faultIn(value: unknown, levels: number): string | null {
  if (typeof value !== 'object' || value === null) return null
  if (levels === 0) return `may nest up to ${MAX_DEPTH} levels of arrays and objects`
  const inner: readonly unknown[] = Array.isArray(value) ? value : Object.values(value)
  if (inner !== value && inner.length > MAX_FIELDS) return `may have objects of up to ${MAX_FIELDS} fields`
  if (inner.length > MAX_VALUES) return `may have lists of up to ${MAX_VALUES} values`
  for (const one of inner) {
    if (typeof one !== 'object') continue
    const fault = faultIn(one, levels - 1)
    if (fault !== null) return fault
  }
  return null
}
