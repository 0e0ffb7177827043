import type { FastifyInstance } from 'fastify'
import type { TSchema } from 'typebox'
import { ERRORS, type ErrorCode } from '../../domain/error-codes.ts'
import { MAX_LIST_VALUES, type Parameter } from '../../filter/parameters.ts'
import type { Caching } from '../caching.ts'
import { CachedBody, sendBytes } from '../response.ts'
import type { Environment } from '../services.ts'
import { MESSAGES } from '../watches/contract.ts'
import {
  type Endpoint,
  type EndpointResponse,
  isRead,
  REQUEST_HEADERS,
  type RequestHeader,
  requiredScope,
  TAGS,
  takesIdempotencyKey,
  wholeDescription,
} from './endpoint.ts'
import { ENDPOINTS, SCHEMAS } from './reference.ts'

const DESCRIPTION = `Geocoded security incidents in Nigeria.

Send \`Authorization: Bearer <key>\` with every request; \`POST /v1/keys\` issues a key at once. Unknown values are \`null\`.
Errors are RFC 9457 problems with a stable \`code\`. Version 1 only grows: new fields, types and endpoints may appear, none will be removed.
POST requests that write accept an \`Idempotency-Key\`: a repetition gets the same answer for 24 hours, or as long as it is among the last 10,000 of the account. Every response has \`RateLimit\` headers and an \`X-Request-Id\`.`

/** Writes the contract as OpenAPI 3.1. */
export function openApi(version: string, publicUrl: string): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Incident Feed',
      version,
      description: DESCRIPTION,
      contact: { name: 'About this service', url: `${publicUrl}/about` },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: publicUrl }],
    security: [{ key: [] }, { session: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: paths(),
    webhooks: webhooks(),
    components: {
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', description: 'A key, such as `inf_live_…` or `inf_pub_…`.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'session',
          description: 'For the pages of this service; over HTTPS the name is `__Host-session`.',
        },
      },
      headers: RESPONSE_HEADERS,
      schemas: Object.fromEntries(
        Object.entries(SCHEMAS).map(([name, schema]) => [name, withReferencesInside(schema)]),
      ),
    },
  }
}

function paths(): Json {
  const all: Record<string, Json> = {}
  for (const declared of ENDPOINTS) {
    for (const [index, path] of [declared.path, ...(declared.aliases ?? [])].entries()) {
      all[path] = { ...all[path], [declared.method.toLowerCase()]: operation(declared, index) }
    }
  }
  return all
}

function otherContents({ otherBodies = {} }: Endpoint): Json {
  return Object.fromEntries(Object.entries(otherBodies).map(([type, schema]) => [type, { schema }]))
}

function operation(declared: Endpoint, alias: number): Json {
  return {
    operationId: alias === 0 ? declared.id : `${declared.id}Unprefixed`,
    tags: [declared.tag],
    summary: alias === 0 ? declared.summary : `${declared.summary} (without the version)`,
    description: wholeDescription(declared),
    'x-required-scope': requiredScope(declared),
    ...(declared.scope === null ? { security: [{}, { key: [] }, { session: [] }] } : {}),
    parameters: parametersOf(declared),
    ...(declared.body
      ? {
          requestBody: {
            required: declared.bodyCheck !== 'where given',
            content: { ...contentOf(declared.body), ...otherContents(declared) },
          },
        }
      : {}),
    responses: responsesOf(declared),
  }
}

export function parametersOf(declared: Endpoint): Json[] {
  return [...pathParameters(declared), ...queryParameters(declared), ...headerParameters(declared)]
}

function pathParameters(declared: Endpoint): Json[] {
  return Object.entries(declared.pathParameters ?? {}).map(([name, parameter]) => {
    const { description, number } = typeof parameter === 'string' ? { description: parameter, number: null } : parameter
    return { name, in: 'path', required: true, description, schema: number ?? { type: 'string' } }
  })
}

function queryParameters(declared: Endpoint): Json[] {
  return Object.entries<Parameter>(declared.query ?? {}).map(([name, parameter]) => {
    const { description, required = false } = parameter
    return { name, in: 'query', required, description, ...schemaAndExample(parameter) }
  })
}

/** A query string is text, which the service parses and judges itself; clients see a number. */
function schemaAndExample({ example, values, several, number }: Parameter): Json {
  if (number) return { schema: number, example: Number(example) }
  const value = { type: 'string', ...(values ? { enum: [...values] } : {}) }
  if (!several) return { schema: value, example }
  return {
    style: 'form',
    explode: false,
    schema: { type: 'array', items: value, maxItems: MAX_LIST_VALUES },
    example: example.split(','),
  }
}

function headerParameters(declared: Endpoint): Json[] {
  const names: RequestHeader[] = [
    ...(takesIdempotencyKey(declared) ? (['Idempotency-Key'] as const) : []),
    ...(declared.requestHeaders ?? []),
  ]
  return names.map((name) => {
    const { description, example, ...rest }: { description: string; example: string; pattern?: string } =
      REQUEST_HEADERS[name]
    const required = name === 'If-Match' && (declared.problems ?? []).includes('version_required')
    return { name, in: 'header', required, description, schema: { type: 'string', ...rest }, example }
  })
}

/** Errors that any endpoint may return. */
const ALWAYS_POSSIBLE: readonly ErrorCode[] = [
  'malformed_request',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'starting',
  'store_full',
  'store_unavailable',
  'newer_schema',
]
/** A path parameter too long to be an identifier is answered without a lookup. */
const WITH_PATH_PARAMETERS: readonly ErrorCode[] = ['not_found']
const WITH_KEY: readonly ErrorCode[] = [
  'missing_key',
  'malformed_key',
  'mistyped_key',
  'unknown_key',
  'revoked_key',
  'expired_key',
  'session_ended',
  'account_blocked',
  'insufficient_scope',
  'origin_not_allowed',
]
const WITH_QUERY: readonly ErrorCode[] = ['invalid_parameter']
const WITH_CURSOR: readonly ErrorCode[] = ['invalid_cursor']
const WITH_BODY: readonly ErrorCode[] = ['malformed_json', 'body_too_large', 'unsupported_media_type', 'invalid_body']
const WITH_CHANGE: readonly ErrorCode[] = ['cross_origin_request']
const WITH_IDEMPOTENCY_KEY: readonly ErrorCode[] = [
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'answer_redacted',
]

function responsesOf(declared: Endpoint): Json {
  const declaredResponses = successResponses(declared) as Record<string, { content?: Json }>
  const errors = errorResponses(declared) as Record<string, { content: Json }>
  // An error that is also answered in another form, such as one of JSON-RPC.
  for (const [status, { content }] of Object.entries(declaredResponses))
    if (errors[status] !== undefined && content !== undefined) Object.assign(errors[status].content, content)
  return { ...declaredResponses, ...errors }
}

const ETag = 'Send it as `If-None-Match` to get 304 while nothing has changed.'

function successResponses(declared: Endpoint): Json {
  const { response, otherResponses = [], scope, requestHeaders = [] } = declared
  // Reads are answered from memory, which may be behind the log.
  const headers = isRead(declared) && scope === 'read' ? { ...ALWAYS_SENT, ...STALE_SECONDS } : ALWAYS_SENT
  const isRevalidated = requestHeaders.includes('If-None-Match')
  const main = isRevalidated ? { ...response, headers: { ETag, ...response.headers } } : response
  const notModified = { 304: { description: 'Not modified since that `ETag`.', headers } }
  return {
    ...Object.fromEntries([main, ...otherResponses].map((one) => [one.status, responseOf(one, headers)])),
    ...(isRevalidated ? notModified : {}),
  }
}

function responseOf(
  { description, schema, contentType, alternatives = {}, headers = {} }: EndpointResponse,
  further: Json,
): Json {
  const described = Object.entries(headers).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' } },
  ])
  const others = Object.entries(alternatives).map(([type, other]) => contentOf(other, type))
  return {
    description,
    headers: { ...Object.fromEntries(described), ...further },
    ...(schema ? { content: Object.assign(contentOf(schema, contentType), ...others) } : {}),
  }
}

/** Groups error codes of the same status into one response. */
function errorResponses(declared: Endpoint): Json {
  const codes = new Set<ErrorCode>([
    ...ALWAYS_POSSIBLE,
    ...WITH_KEY,
    ...(declared.pathParameters ? WITH_PATH_PARAMETERS : []),
    // A body is read even if the endpoint declares none.
    ...(declared.method === 'GET' ? [] : [...WITH_BODY, ...WITH_CHANGE]),
    ...(takesIdempotencyKey(declared) ? WITH_IDEMPOTENCY_KEY : []),
    ...(declared.method === 'GET' ? WITH_QUERY : []),
    ...(declared.problems ?? []),
    ...(declared.query?.cursor ? WITH_CURSOR : []),
  ])
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, these]) => [
      status,
      {
        description: these.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
        headers: { ...ALWAYS_SENT, ...SENT_WITH[status] },
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

/** The headers of the responses, by the names of their components. */
const RESPONSE_HEADERS = {
  RateLimit: textHeader(
    'The requests that are left in this minute (`r`), and the seconds until there are more (`t`).',
    '"minute";r=119;t=41',
  ),
  RateLimitPolicy: textHeader(
    'The limit (`q`) and its period in seconds (`w`): `minute` of the key, or `address` without one.',
    '"minute";q=120;w=60',
  ),
  RequestId: textHeader('Quote it when you ask for help.', 'req_01jd8z0c5x'),
  RetryAfter: secondsHeader('The seconds to wait before the next attempt.', 5),
  StaleSeconds: secondsHeader('Only if the node is behind: the seconds since it was last in step with the log.', 4),
  WwwAuthenticate: textHeader('How to authenticate: with a key.', 'Bearer realm="incident-feed"'),
} as const satisfies Record<string, Json>

function textHeader(description: string, example: string): Json {
  return { description, schema: { type: 'string' }, example }
}

function secondsHeader(description: string, example: number): Json {
  return { description, schema: { type: 'integer', minimum: 0 }, example }
}

const header = (name: keyof typeof RESPONSE_HEADERS) => ({ $ref: `#/components/headers/${name}` })

/** Sent with every response. */
const ALWAYS_SENT = {
  RateLimit: header('RateLimit'),
  'RateLimit-Policy': header('RateLimitPolicy'),
  'X-Request-Id': header('RequestId'),
}

const STALE_SECONDS = { 'Stale-Seconds': header('StaleSeconds') }

/** By the status of an error. */
const SENT_WITH: Readonly<Record<number, Json>> = {
  401: { 'WWW-Authenticate': header('WwwAuthenticate') },
  429: { 'Retry-After': header('RetryAfter') },
  503: { 'Retry-After': header('RetryAfter') },
}

export type Json = Record<string, unknown>

export function contentOf(schema: TSchema, type = 'application/json'): Json {
  return { [type]: { schema: withReferences(schema) } }
}

/**
 * Writes the named schemas as references to the components, and each schema as it is documented.
 */
function withReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withReferences)
  if (typeof schema !== 'object' || schema === null) return schema
  const { $id, $ref, documentedAs } = schema as { $id?: string; $ref?: string; documentedAs?: unknown }
  if (documentedAs !== undefined) return withReferences(documentedAs)
  if ($id !== undefined) return { $ref: `#/components/schemas/${$id}` }
  const inner = withReferencesInside(schema)
  return $ref === undefined ? inner : { ...inner, $ref: `#/components/schemas/${$ref}` }
}

/** Writes a named schema out, for the components themselves. */
function withReferencesInside(schema: object): Json {
  const entries = Object.entries(schema).filter(([name]) => name !== '$id')
  return Object.fromEntries(entries.map(([name, value]) => [name, withReferences(value)]))
}

/** After Standard Webhooks. */
const HEADERS = {
  'webhook-id': { description: 'The id of the message, the same at every attempt.', example: 'msg_01jd8z0c5x' },
  'webhook-timestamp': { description: 'When this attempt began, in seconds since 1970.', example: '1778567460' },
  'webhook-signature': {
    description:
      '`v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body`; several, separated by spaces, while a secret is being replaced.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  },
} as const

/** The POST requests that the service sends to the endpoint of a watch. */
export function webhooks(): Json {
  return Object.fromEntries(
    Object.entries(MESSAGES).map(([event, { schema, summary }]) => [
      event,
      {
        post: {
          operationId: event.replace(/\.(\w)/, (_, letter: string) => letter.toUpperCase()),
          tags: ['Watches'],
          summary,
          description: `Sent to the watches that list \`${event}\` in \`events\`. Verify the signature before you trust the body.`,
          security: [{}],
          parameters: Object.entries(HEADERS).map(([name, { description, example }]) => ({
            name,
            in: 'header',
            required: true,
            description,
            schema: { type: 'string' },
            example,
          })),
          requestBody: { required: true, content: contentOf(schema) },
          responses: {
            '2XX': { description: 'The message is delivered. Answer within 15 seconds.' },
            '410': { description: 'Disables the watch: nothing more is sent.' },
            default: { description: 'The message is sent again later; `Retry-After` is honoured, up to 24 hours.' },
          },
        },
      },
    ]),
  )
}

const CACHING: Caching = { kind: 'contract', vary: 'Accept-Encoding' }

export function openApiRoute(server: FastifyInstance, { version, publicUrl }: Environment): void {
  let document: CachedBody | null = null
  server.get('/openapi.json', (request, reply) => {
    // Written once: it takes milliseconds, and anybody may ask for it.
    document ??= new CachedBody(Buffer.from(JSON.stringify(openApi(version, publicUrl()))))
    reply.header('access-control-allow-origin', '*')
    return sendBytes(request, reply, document, 'application/json; charset=utf-8', CACHING)
  })
}
