import { type Endpoint, TAGS } from '../endpoint.ts'
import { ENDPOINTS } from '../endpoints.ts'
import { SCHEMAS } from '../schemas.ts'
import { parametersOf } from './parameters.ts'
import { RESPONSE_HEADERS } from './response-headers.ts'
import { responsesOf } from './responses.ts'
import { contentOf, type Json, withReferencesInside } from './schemas.ts'
import { webhooks } from './webhooks.ts'

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
    description: declared.description ?? declared.summary,
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
