import type { FastifyInstance } from 'fastify'
import type { Parameter } from '../../filter/parameters.ts'
import type { Caching } from '../caching.ts'
import { CachedBody, sendBytes } from '../response.ts'
import type { Environment } from '../services.ts'
import { type Endpoint, type PathParameter, TAGS, wholeDescription } from './endpoint.ts'
import { ENDPOINTS } from './reference.ts'

type Json = Record<string, unknown>

/** Values that a first try succeeds with, for parameters that are no ids. */
const PATH_EXAMPLES: Readonly<Record<string, string>> = { z: '6', x: '33', y: '30', file: '2024-05.ndjson' }

/** Writes the contract as a Postman collection, format 2.1, which Bruno and others import too. */
function postmanCollection(version: string, publicUrl: string): Json {
  return {
    info: {
      name: 'Incident Feed',
      description: `Geocoded security incidents in Nigeria, version ${version}. Set the variable \`key\`; “Get a key” issues one.`,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{key}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: publicUrl },
      { key: 'key', value: '' },
      ...embeddedNames().map((name) => ({ key: name, value: PATH_EXAMPLES[name] ?? '' })),
    ],
    item: Object.entries(TAGS).map(([tag, description]) => ({
      name: tag,
      description,
      item: ENDPOINTS.filter((declared) => declared.tag === tag).map(item),
    })),
  }
}

function item(declared: Endpoint): Json {
  const { method, summary, scope, body } = declared
  const example = (body as { example?: unknown } | undefined)?.example ?? {}
  return {
    name: summary,
    request: {
      method,
      description: wholeDescription(declared),
      ...(scope === null ? { auth: { type: 'noauth' } } : {}),
      header: body ? [{ key: 'Content-Type', value: 'application/json' }] : [],
      url: urlOf(declared),
      ...(body
        ? { body: { mode: 'raw', raw: JSON.stringify(example, null, 2), options: { raw: { language: 'json' } } } }
        : {}),
    },
  }
}

function urlOf({ path, query = {}, pathParameters = {} }: Endpoint): Json {
  const segments = path.slice(1).split('/').map(segmentOf)
  const parameters = Object.entries<Parameter>(query).map(([key, { example, description, required }]) => ({
    key,
    value: example,
    description,
    ...(required ? {} : { disabled: true }),
  }))
  const search = parameters
    .filter(({ disabled }) => !disabled)
    .map(({ key, value }) => `${key}=${value}`)
    .join('&')
  return {
    raw: `{{baseUrl}}/${segments.join('/')}${search && `?${search}`}`,
    host: ['{{baseUrl}}'],
    path: segments,
    query: parameters,
    variable: Object.entries(pathParameters)
      .filter(([name]) => segments.includes(`:${name}`))
      .map(([name, parameter]) => ({
        key: name,
        value: PATH_EXAMPLES[name] ?? '',
        description: descriptionOf(parameter),
      })),
  }
}

/**
 * A path variable is a whole segment; a part of one, as in `{y}.mvt`, is a variable of the
 * collection.
 */
function segmentOf(segment: string): string {
  return segment.replace(/^\{(\w+)\}$/, ':$1').replaceAll(/\{(\w+)\}/g, '{{$1}}')
}

function embeddedNames(): string[] {
  const parts = ENDPOINTS.flatMap(({ path }) => path.split('/')).map(segmentOf)
  return [...new Set(parts.flatMap((part) => [...part.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!)))]
}

function descriptionOf(parameter: PathParameter): string {
  return typeof parameter === 'string' ? parameter : parameter.description
}

const CACHING: Caching = { kind: 'contract', vary: 'Accept-Encoding' }

export function collectionsRoute(server: FastifyInstance, { version, publicUrl }: Environment): void {
  let collection: CachedBody | null = null
  server.get('/collections/postman.json', (request, reply) => {
    // Written once: it takes milliseconds, and anybody may ask for it.
    collection ??= new CachedBody(Buffer.from(JSON.stringify(postmanCollection(version, publicUrl()))))
    reply.header('access-control-allow-origin', '*')
    return sendBytes(request, reply, collection, 'application/json; charset=utf-8', CACHING)
  })
}
