import { ERRORS, type ErrorCode } from '../domain/error-codes/error-codes.ts'
import { MAX_LIST_VALUES, type Parameter } from '../query/filter/parameters.ts'
import { ENDPOINTS, SCHEMAS } from './contract.ts'
import { type Endpoint, type EndpointResponse, isRead, TAGS } from './endpoint.ts'

type Json = Record<string, unknown>

/** Errors that any endpoint may return. */
const ALWAYS_POSSIBLE: readonly ErrorCode[] = [
  'malformed_request',
  'request_timeout',
  'rate_limited',
  'headers_too_large',
  'starting',
  'store_full',
  'store_unavailable',
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
const WITH_BODY: readonly ErrorCode[] = ['malformed_json', 'body_too_large', 'unsupported_media_type', 'invalid_body']
const WITH_CHANGE: readonly ErrorCode[] = ['cross_origin_request']
const WITH_POST: readonly ErrorCode[] = ['idempotency_key_in_use', 'idempotency_key_reused', 'answer_redacted']

const DESCRIPTION = `Geocoded security incidents in Nigeria.

Send \`Authorization: Bearer <key>\` with every request; \`POST /v1/keys\` issues a key at once. Unknown values are \`null\`.
Errors are RFC 9457 problems with a stable \`code\`. Version 1 only grows: new fields, types and endpoints may appear, none will be removed.
POST requests that write accept an \`Idempotency-Key\`: a repetition gets the same answer for 24 hours, or as long as it is among the last 10,000 of the account. Every response has \`RateLimit\` headers and an \`X-Request-Id\`.`

export function openApi(version: string, publicUrl: string): Json {
  return {
    openapi: '3.1.0',
    info: { title: 'Incident Feed', version, description: DESCRIPTION, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: publicUrl }],
    security: [{ key: [] }, { session: [] }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths: paths(),
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
      schemas: Object.fromEntries(
        Object.entries(SCHEMAS).map(([name, schema]) => [name, withComponentReferences(schema)]),
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

function operation(declared: Endpoint, alias: number): Json {
  return {
    operationId: alias === 0 ? declared.id : `${declared.id}Unprefixed`,
    tags: [declared.tag],
    summary: alias === 0 ? declared.summary : `${declared.summary} (without the version)`,
    description: declared.description ?? declared.summary,
    ...(declared.scope === null ? { security: [{}, { key: [] }, { session: [] }] } : {}),
    parameters: [...pathParameters(declared), ...queryParameters(declared)],
    ...(declared.body
      ? { requestBody: { required: declared.bodyCheck !== 'where given', content: content(declared.body) } }
      : {}),
    responses: { ...successResponses(declared), ...errorResponses(declared) },
  }
}

function pathParameters(declared: Endpoint): Json[] {
  return Object.entries(declared.pathParameters ?? {}).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  }))
}

function queryParameters(declared: Endpoint): Json[] {
  return Object.entries<Parameter>(declared.query ?? {}).map(([name, parameter]) => {
    const { description, example, values, several, required = false } = parameter
    const value = { type: 'string', ...(values ? { enum: [...values] } : {}) }
    const list = {
      style: 'form',
      explode: false,
      schema: { type: 'array', items: value, maxItems: MAX_LIST_VALUES },
      example: example.split(','),
    }
    return { name, in: 'query', required, description, ...(several ? list : { schema: value, example }) }
  })
}

/** Reads are answered from memory, which may be behind the log. */
const STALE_SECONDS = {
  'Stale-Seconds': {
    description: 'Only if the node is behind: the seconds since it was last in step with the log.',
    schema: { type: 'integer', minimum: 0 },
  },
}

function successResponses(declared: Endpoint): Json {
  const { response, otherResponses = [], scope } = declared
  const further = isRead(declared) && scope === 'read' ? STALE_SECONDS : {}
  const notModified = response.headers?.ETag ? { 304: { description: 'Not modified since that `ETag`.' } } : {}
  return {
    ...Object.fromEntries([response, ...otherResponses].map((one) => [one.status, responseOf(one, further)])),
    ...notModified,
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
  const others = Object.entries(alternatives).map(([type, other]) => content(other, type))
  return {
    description,
    headers: { ...Object.fromEntries(described), ...further },
    ...(schema ? { content: Object.assign(content(schema, contentType), ...others) } : {}),
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
    ...(isRead(declared) || declared.method !== 'POST' || declared.neverReplayed ? [] : WITH_POST),
    ...(declared.problems ?? []),
  ])
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, these]) => [
      status,
      {
        description: these.map((code) => `\`${code}\`: ${ERRORS[code].title}.`).join(' '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

function content(schema: unknown, type = 'application/json'): Json {
  return { [type]: { schema: withComponentReferences(schema) } }
}

/** Rewrites references: TypeBox refers to a schema by its name, OpenAPI by its path. */
function withComponentReferences(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withComponentReferences)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).filter(([name]) => name !== '$id')
  return Object.fromEntries(
    entries.map(([name, value]) =>
      name === '$ref' ? [name, `#/components/schemas/${value}`] : [name, withComponentReferences(value)],
    ),
  )
}
