import fc from 'fast-check'
import type { OpenApiDocument, Operation } from '../openapi-document.ts'
import { bodyFor } from './bodies.ts'
import { mostly, sometimes } from './chance.ts'
import { anyHeaders, type Header, headerNamed } from './headers.ts'
import { authorizationFor, type IssuedKeys } from './keys.ts'
import type { LearnedValues } from './learned-values.ts'
import { pathFor } from './paths.ts'
import { queryFor } from './queries.ts'
import { ValueGenerators } from './values.ts'

export interface FuzzRequest {
  /** The documented operation at this path and method; null if there is none. */
  readonly operation: Operation | null
  readonly method: string
  /** Path and query as sent, one byte per character. */
  readonly target: string
  readonly headers: readonly Header[]
  readonly body: Buffer | null
  /** True if the client disconnects before the response is complete. */
  readonly disconnectsEarly: boolean
  /** The time for which the client reads a stream before it disconnects. */
  readonly streamMs: number
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']
const OTHER_METHOD = 0.04
const HEAD_FOR_GET = 0.03
const MISSING_CONTENT_TYPE = 0.02
const IF_MATCH_ON_PATCH = 0.8
const DISCONNECTS_EARLY = 0.04
const CONDITIONAL_REPEAT = 0.1
/** The probability of `Range` and `Last-Event-ID` on operations that accept them. */
const PARTIAL = 0.5
const MAX_STREAM_MS = 149
const BESIDE_THE_AIM = 0.25

export interface RequestSources {
  readonly document: OpenApiDocument
  readonly learned: LearnedValues
  readonly keys: IssuedKeys
  /** Endpoints that watches may name. */
  readonly urls: readonly string[]
  /** Ids of operations that most requests go to; none for all alike. */
  readonly aim: readonly string[]
}

/**
 * Generates requests to every operation of the document, each operation equally often; with an aim,
 * most of them to the operations that it names. The rest brings the values that those need.
 */
export function anyRequest(sources: RequestSources): fc.Arbitrary<FuzzRequest> {
  const values = new ValueGenerators(sources.document, sources.learned)
  const { operations } = sources.document
  const all = fc.oneof(...operations.map((operation) => requestTo(operation, sources, values)))
  if (sources.aim.length === 0) return all
  const aimed = sources.aim.map((id) => requestTo(operationNamed(operations, id), sources, values))
  return mostly(fc.oneof(...aimed), [BESIDE_THE_AIM, all])
}

function operationNamed(operations: readonly Operation[], id: string): Operation {
  const found = operations.find((operation) => operation.id === id)
  if (found !== undefined) return found
  throw new Error(`no operation is called ${id}; there are ${operations.map((operation) => operation.id).join(', ')}`)
}

/** The key under which `LearnedValues` keeps `<etag> <target>` of an operation's responses. */
export function repeatableKind({ id }: Operation): string {
  return `repeatable ${id}`
}

function requestTo(operation: Operation, sources: RequestSources, values: ValueGenerators): fc.Arbitrary<FuzzRequest> {
  const { document, learned, keys, urls } = sources
  const parts = fc.record({
    method: methodFor(operation),
    path: pathFor(operation, learned),
    query: queryFor(operation, learned, keys.texts.publishable),
    body: bodyFor(operation, values, urls),
    authorization: authorizationFor(operation, keys, learned),
    headers: headersFor(operation, learned),
    hasContentType: mostly(fc.constant(true), [MISSING_CONTENT_TYPE, fc.constant(false)]),
    repeat: sometimes(CONDITIONAL_REPEAT, fc.nat(2 ** 30)),
    disconnectsEarly: mostly(fc.constant(false), [DISCONNECTS_EARLY, fc.constant(true)]),
    streamMs: fc.nat(MAX_STREAM_MS),
  })
  return parts.map(({ method, path, query, body, authorization, headers, hasContentType, repeat, ...rest }) => {
    const key: Header[] = authorization === undefined ? [] : [['authorization', authorization]]
    const repeatable = repeat === undefined ? undefined : learned.valueAt(repeatableKind(operation), repeat)
    if (repeatable !== undefined) {
      const [etag, target] = repeatable.split(' ') as [string, string]
      const conditional = withDefaults(key, [
        ...headers.filter(([name]) => name !== 'if-none-match'),
        ['if-none-match', etag],
      ])
      return {
        ...rest,
        operation,
        method: operation.method,
        target,
        headers: conditional,
        body: null,
        disconnectsEarly: false,
      }
    }
    const type: Header[] = body !== undefined && hasContentType ? [['content-type', 'application/json']] : []
    return {
      ...rest,
      operation: operationAt(document, method, path),
      method,
      target: query === '' ? path : `${path}?${query}`,
      headers: withDefaults([...key, ...type], headers),
      // Node refuses to send TRACE with a body.
      body: method === 'TRACE' ? null : (body ?? null),
    }
  })
}

function methodFor({ method }: Operation): fc.Arbitrary<string> {
  const other = [OTHER_METHOD, fc.constantFrom(...METHODS)] as const
  if (method !== 'GET') return mostly(fc.constant(method), other)
  return mostly(fc.constant(method), other, [HEAD_FOR_GET, fc.constant('HEAD')])
}

function headersFor({ method, responses }: Operation, learned: LearnedValues): fc.Arbitrary<Header[]> {
  const none = fc.constant(undefined)
  const ifMatch = fc.integer({ min: 1, max: 3 }).map((version): Header => ['if-match', `"${version}"`])
  const isStream = responses[200]?.content?.['text/event-stream'] !== undefined
  return fc
    .tuple(
      address,
      method === 'PATCH' ? mostly<Header | undefined>(ifMatch, [1 - IF_MATCH_ON_PATCH, none]) : none,
      anyHeaders(learned),
      responses[206] ? sometimes(PARTIAL, headerNamed('range')) : none,
      isStream ? sometimes(PARTIAL, headerNamed('last-event-id')) : none,
    )
    .map(([from, version, others, range, lastEventId]) => {
      const all = [...others, range, lastEventId].filter((header) => header !== undefined)
      return withDefaults(
        [from, version].filter((header) => header !== undefined),
        all,
      )
    })
}

/** Another client address for each request, or the limit per address would refuse most of them. */
const address: fc.Arbitrary<Header> = fc.noShrink(
  fc.nat(2 ** 24 - 1).map((number) => ['x-forwarded-for', `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`]),
)

/** Adds those defaults whose name is not among the headers. */
function withDefaults(defaults: readonly Header[], headers: readonly Header[]): Header[] {
  return [...defaults.filter(([name]) => headers.every(([other]) => other !== name)), ...headers]
}

/** Finds the operation as a router does: exact paths take precedence over those with parameters. */
function operationAt({ operations }: OpenApiDocument, method: string, path: string): Operation | null {
  const routed = method === 'HEAD' ? 'GET' : method
  const matching = operations.filter((one) => one.method === routed && one.pattern.test(path))
  return matching.toSorted((one, other) => placeholdersIn(one) - placeholdersIn(other))[0] ?? null
}

function placeholdersIn({ path }: Operation): number {
  // `{id}.cap` is more exact than `{id}`.
  return path.split('{').length - (/\}[^/]/.test(path) ? 0.5 : 0)
}
