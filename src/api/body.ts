import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/compile'
import { parseEmailAddress } from '../domain/email-address.ts'
import { atPointer, didYouMean, type FieldError, invalidBody, nameHints, Problem } from '../domain/errors.ts'
import { eventLoopShare } from '../lib/concurrency.ts'
import { suggestNames } from '../lib/similar-names.ts'
import { isStorable, storableText, UNSTORABLE } from '../lib/text.ts'
import { NAMED_SCHEMAS } from './contract/schema.ts'
import { addressSubject } from './request.ts'

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
  let text: string
  try {
    text = decoder.decode(body)
  } catch {
    throw invalidBody([{ pointer: '', message: 'must be UTF-8' }])
  }
  const end = text.indexOf('\0')
  if (end < 0) return text
  const line = text.slice(0, end).split('\n').length
  throw invalidBody([{ pointer: '', message: `${UNSTORABLE}: line ${line}` }])
}

function parseBody(body: Buffer): unknown {
  if (body.length === 0) return undefined
  let text: string
  let value: unknown
  try {
    text = decoder.decode(body)
    value = JSON.parse(text)
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message.replace(/\s+/g, ' ') : 'it is not valid UTF-8'
    throw new Problem('malformed_json', `The body is not JSON: ${why}.`)
  }
  const message = faultIn(value, MAX_DEPTH)
  if (message !== null) throw invalidBody([{ pointer: '', message }])
  const errors = MAYBE_UNSTORABLE.test(text) ? listUnstorable(value, '').slice(0, MAX_ERRORS) : []
  if (errors.length > 0) throw invalidBody(errors)
  return value
}

/** JSON that is UTF-8 has NUL and half of a surrogate pair as escapes only; most has none. */
const MAYBE_UNSTORABLE = /\\u(?:0000|d[89a-f])/i
const MAX_ERRORS = 20

/** Names every text that no database can hold, names of members too. */
function listUnstorable(value: unknown, pointer: string): FieldError[] {
  if (typeof value === 'string') return isStorable(value) ? [] : [{ pointer, message: UNSTORABLE }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = `${pointer}/${storableText(name.slice(0, MAX_NAME_LENGTH)).replaceAll('~', '~0').replaceAll('/', '~1')}`
    return isStorable(name) ? listUnstorable(inner, at) : [{ pointer: at, message: `is a name that ${UNSTORABLE}` }]
  })
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

/** Reads `Content-Encoding`; throws 415 for an encoding that is not taken. */
function isGzipped(header: string | undefined): boolean {
  const encoding = header?.trim().toLowerCase() ?? ''
  if (encoding === '' || encoding === 'identity') return false
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  throw new Problem(
    'unsupported_media_type',
    `Content-Encoding ${JSON.stringify(encoding.slice(0, 60))} is not taken. Send the body as it is, or with Content-Encoding: gzip.`,
    // As RFC 9110 asks, so that a client can tell this from a wrong media type.
    { headers: { 'accept-encoding': 'gzip, identity' } },
  )
}

/** Inflates up to `maxBytes`: a small body may claim to hold gigabytes. Runs in zlib's threads. */
async function inflateBody(body: Buffer, maxBytes: number): Promise<Buffer> {
  if (body.length === 0) return body
  try {
    return await promisify(gunzip)(body, { maxOutputLength: maxBytes })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new Problem('body_too_large', `The body has more than ${maxBytes / 1024} KiB once it is inflated.`)
    throw new Problem('malformed_request', 'The body is not gzip, though Content-Encoding says so.')
  }
}

export function compileBodyCheck(schema: TSchema): (body: unknown) => void {
  const validate = compileValidator(schema)
  return (body) => {
    const errors = validate(body)
    if (errors.length > 0) throw invalidBody(errors)
  }
}

/** One for each schema, whose compilation takes milliseconds: servers of a process share them. */
const validators = new WeakMap<TSchema, Validator>()

/**
 * The validator lists the errors of a value; empty if the value fits the schema. It is compiled for
 * the first value: all of them together would hold up every start.
 */
export function compileValidator(schema: TSchema): (value: unknown) => FieldError[] {
  return (value) => {
    let validator = validators.get(schema)
    if (validator === undefined) {
      validator = Compile(NAMED_SCHEMAS as Parameters<typeof Compile>[0], schema)
      validators.set(schema, validator)
    }
    return validator.Check(value) ? [] : listErrors(validator, schema, value)
  }
}

type SchemaError = ReturnType<Validator['Errors']>[number]

function listErrors(validator: Validator, schema: TSchema, body: unknown): FieldError[] {
  const byPointer = new Map<string, FieldError>()
  for (const error of validator.Errors(body)) {
    for (const described of fieldErrorsOf(error, schema, body)) {
      // Keep the first error per pointer: a union adds one more for each of its branches.
      if (!byPointer.has(described.pointer!)) byPointer.set(described.pointer!, described)
    }
  }
  return byPointer.size > 0 ? [...byPointer.values()] : listUnknownFields(schema, body)
}

/**
 * The validator stops after some errors, and it counts each unknown field before it names them all:
 * a body with many of them has errors that say nothing.
 */
function listUnknownFields(schema: TSchema, body: unknown): FieldError[] {
  const known = Object.keys((schema as { properties?: object }).properties ?? {})
  const unknown = Object.keys(body as object).filter((name) => !known.includes(name))
  if (unknown.length === 0) return [{ pointer: '', message: 'has objects with fields that are not taken here' }]
  return unknown.slice(0, MAX_UNKNOWN_FIELDS).map((name) => unknownField('', name.slice(0, MAX_NAME_LENGTH), schema))
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'must be an RFC 3339 time, as 2026-05-01T12:00:00Z',
}

/** Of the fields that do not exist, this many are named: a body may hold 30,000 of them. */
const MAX_UNKNOWN_FIELDS = 20
const MAX_NAME_LENGTH = 200

function fieldErrorsOf(
  { keyword, instancePath, params, message }: SchemaError,
  schema: TSchema,
  body: unknown,
): FieldError[] {
  const given = params as {
    requiredProperties?: string[]
    additionalProperties?: string[]
    allowedValues?: string[]
    format?: string
  }
  switch (keyword) {
    case 'boolean':
      return []
    case 'required':
      return given.requiredProperties!.map((name) => ({ pointer: `${instancePath}/${name}`, message: 'is missing' }))
    case 'additionalProperties':
      return given
        .additionalProperties!.slice(0, MAX_UNKNOWN_FIELDS)
        .map((name) => unknownField(instancePath, name.slice(0, MAX_NAME_LENGTH), schema))
    case 'enum':
      return [unknownValue(instancePath, valueAt(body, instancePath), given.allowedValues!)]
    case 'format':
      return [{ pointer: instancePath, message: formatFault(given.format!, valueAt(body, instancePath)) ?? message }]
    default:
      return [{ pointer: instancePath, message }]
  }
}

function formatFault(format: string, value: unknown): string | undefined {
  if (format !== 'email') return FORMATS[format]
  const parsed = parseEmailAddress(String(value))
  return 'fault' in parsed ? parsed.fault : undefined
}

function unknownValue(pointer: string, value: unknown, allowed: readonly string[]): FieldError {
  const near = typeof value === 'string' ? suggestNames(value.replace(/[\s-]+/g, '_'), allowed) : []
  return {
    pointer,
    message: `must be one of ${allowed.join(', ')}`,
    allowed,
    ...didYouMean(near),
  }
}

function valueAt(body: unknown, pointer: string): unknown {
  let value = body
  for (const part of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')]
  }
  return value
}

function unknownField(path: string, name: string, schema: TSchema): FieldError {
  const known = path === '' ? Object.keys((schema as { properties?: object }).properties ?? {}) : []
  return { pointer: `${path}/${name}`, message: 'is not a field here', ...nameHints(name, known) }
}

/**
 * Answers a question that came as a JSON body. What is found wrong only while it is answered (a
 * cursor, too many buckets) is named after query parameters; the client gets its JSON pointer.
 */
export async function answerBody<Answer>(answer: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors.some(({ parameter }) => parameter !== undefined)) throw error
    throw new Problem(error.code, error.message, { errors: error.errors.map(atPointer), headers: error.headers })
  }
}
