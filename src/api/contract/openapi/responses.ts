import { ERRORS, type ErrorCode } from '../../../domain/error-codes.ts'
import { type Endpoint, type EndpointResponse, isRead, takesIdempotencyKey } from '../endpoint.ts'
import { ALWAYS_SENT, SENT_WITH, STALE_SECONDS } from './response-headers.ts'
import { contentOf, type Json } from './schemas.ts'

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
const WITH_IDEMPOTENCY_KEY: readonly ErrorCode[] = [
  'idempotency_key_in_use',
  'idempotency_key_reused',
  'answer_redacted',
]

export function responsesOf(declared: Endpoint): Json {
  const declaredResponses = successResponses(declared) as Record<string, { content?: Json }>
  const errors = errorResponses(declared) as Record<string, { content: Json }>
  // An error that is also answered in another form, such as one of JSON-RPC.
  for (const [status, { content }] of Object.entries(declaredResponses))
    if (errors[status] !== undefined && content !== undefined) Object.assign(errors[status].content, content)
  return { ...declaredResponses, ...errors }
}

function successResponses(declared: Endpoint): Json {
  const { response, otherResponses = [], scope, requestHeaders = [] } = declared
  // Reads are answered from memory, which may be behind the log.
  const headers = isRead(declared) && scope === 'read' ? { ...ALWAYS_SENT, ...STALE_SECONDS } : ALWAYS_SENT
  const notModified = { 304: { description: 'Not modified since that `ETag`.', headers } }
  return {
    ...Object.fromEntries([response, ...otherResponses].map((one) => [one.status, responseOf(one, headers)])),
    ...(requestHeaders.includes('If-None-Match') ? notModified : {}),
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
    ...(declared.problems ?? []),
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
