import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Endpoint } from '../../src/api/contract/endpoint.ts'
import { ENDPOINTS } from '../../src/api/contract/reference.ts'
import { WATCH_EVENTS } from '../../src/domain/watch.ts'
import type { NumberBounds, Parameter } from '../../src/filter/parameters.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { anIncident, aReport } from '../support/incident.ts'
import { openApiValidator } from '../support/openapi-validator.ts'
import { startEndpoint } from '../support/receivers.ts'

interface Document {
  readonly paths: Record<string, { get: { responses: Record<number, { headers?: { ETag?: object } }> } }>
  readonly webhooks: Record<
    string,
    {
      post: {
        parameters: { name: string }[]
        requestBody: { content: Record<string, { schema: object }> }
      }
    }
  >
}

let app: TestApp
let key: string
let document: Document
let validate: ReturnType<typeof openApiValidator>
before(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  await app.publish([anIncident(1), anIncident(2)])
  key = (await app.issue({ scopes: ['read', 'watch', 'operate'] })).text
  document = (await (await fetch(`${app.url}/openapi.json`)).json()) as Document
  validate = openApiValidator(document)
})
after(() => app[Symbol.asyncDispose]())

const withoutPath = ENDPOINTS.filter(({ method, pathParameters }) => method === 'GET' && pathParameters === undefined)

/** Parameters that a parameter needs beside it. */
const COMPANIONS: Readonly<Record<string, string>> = { radius_km: '&near=10.5,7.4' }

function addressWith({ path, query = {} }: Endpoint, name: string, value: string): string {
  const needed = Object.entries<Parameter>(query).filter(([other, { required }]) => required && other !== name)
  const rest = needed.map(([other, { example }]) => `&${other}=${example}`).join('')
  return `${path}?${name}=${encodeURIComponent(value)}${rest}${COMPANIONS[name] ?? ''}`
}

function outside({ type, minimum, exclusiveMinimum, maximum }: NumberBounds): string[] {
  const step = type === 'integer' ? 1 : 0.5
  return [
    'abc',
    ...(minimum === undefined ? [] : [String(minimum - step)]),
    ...(exclusiveMinimum === undefined ? [] : [String(exclusiveMinimum)]),
    ...(maximum === undefined ? [] : [String(maximum + step)]),
    ...(type === 'integer' ? ['1.5'] : []),
  ]
}

for (const declared of withoutPath) {
  for (const [name, { number }] of Object.entries<Parameter>(declared.query ?? {})) {
    if (number === undefined) continue
    test(`${declared.path} takes ${name} within its declared bounds, and says so otherwise`, async () => {
      const inside = [number.minimum, number.maximum].filter((bound) => bound !== undefined)
      for (const value of inside) {
        const response = await app.get(addressWith(declared, name, String(value)), key)
        await response.body?.cancel()
        // A point at the edge of the world is understood, and lies outside Nigeria.
        assert.notEqual(response.status, 400, `${name}=${value}`)
      }
      for (const value of outside(number)) {
        const response = await app.get(addressWith(declared, name, value), key)
        const { errors } = (await response.json()) as { errors: { parameter: string; message: string }[] }
        assert.equal(response.status, 400, `${name}=${value}`)
        assert.equal(errors[0]!.parameter, name)
        assert.match(errors[0]!.message, /^must be /)
      }
    })
  }
}

for (const declared of withoutPath) {
  test(`${declared.path} answers 304 to its own ETag only if it is declared`, async () => {
    const needed = Object.entries<Parameter>(declared.query ?? {}).filter(([, { required }]) => required)
    const address = `${declared.path}?${needed.map(([name, { example }]) => `${name}=${example}`).join('&')}`
    const first = await app.get(address, key)
    await first.body?.cancel()
    const etag = first.headers.get('etag')
    if (!first.ok) return
    const { headers } = document.paths[declared.path]!.get.responses[declared.response.status]!
    assert.equal(etag !== null, headers?.ETag !== undefined)
    if (etag === null) return
    const second = await app.get(address, key, { 'if-none-match': etag })
    await second.body?.cancel()
    assert.equal(second.status === 304, declared.requestHeaders?.includes('If-None-Match') ?? false)
  })
}

test('every answer has the headers that the document promises', async () => {
  const answers = {
    200: await app.get('/v1/incidents', key),
    304: await app.get('/v1/taxonomy', key),
    400: await app.get('/v1/incidents?limit=abc', key),
    401: await fetch(`${app.url}/v1/incidents`),
    404: await app.get('/v1/watches/wat_unknown', key),
  }
  for (const [status, { headers }] of Object.entries(answers)) {
    assert.match(headers.get('ratelimit') ?? '', /^"(minute|address)";r=\d+;t=\d+$/, status)
    assert.match(headers.get('ratelimit-policy') ?? '', /^"(minute|address)";q=\d+;w=60$/, status)
    assert.match(headers.get('x-request-id') ?? '', /^req_/, status)
  }
  assert.match(answers[401].headers.get('www-authenticate') ?? '', /^Bearer/)
})

test('an answer above the limit says when to come back', async () => {
  await using strict = await startTestApp({ RATE_LIMIT: '1' })
  await strict.get('/v1/taxonomy')
  const response = await strict.get('/v1/taxonomy')
  assert.equal(response.status, 429)
  assert.match(response.headers.get('retry-after') ?? '', /^\d+$/)
})

test('the list has the Link to its next page, and its ETag', async () => {
  const { headers } = await app.get('/v1/incidents?limit=1', key)
  assert.match(headers.get('link') ?? '', /rel="next"/)
  assert.ok(headers.get('etag'))
})

for (const id of ['changeDesk', 'confirmIncident', 'rejectIncident', 'mergeIncident', 'redactIncident']) {
  test(`${id} declares If-Match, and refuses a stale one`, async () => {
    const { method, path, requestHeaders = [] } = ENDPOINTS.find((declared) => declared.id === id)!
    assert.ok(requestHeaders.includes('If-Match'))
    const [report, other] = await Promise.all([aNewReport(), aNewReport()])
    const bodies: Record<string, object> = {
      mergeIncident: { into: other },
      redactIncident: { all: true, reason: 'A test.' },
    }
    const response = await fetch(`${app.url}${path.replace('{id}', report)}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'if-match': '"99"' },
      body: JSON.stringify(bodies[id] ?? { note: 'A note.' }),
    })
    assert.equal(((await response.json()) as { code: string }).code, 'stale_version')
  })
}

async function aNewReport(): Promise<string> {
  return ((await (await app.post('/v1/reports', aReport(), key)).json()) as { id: string }).id
}

test('every message that is sent fits the webhook of its event', async () => {
  await using endpoint = await startEndpoint()
  const watch = { name: 'All events', url: endpoint.url, filter: {}, events: WATCH_EVENTS }
  const created = await app.post('/v1/watches', watch, key)
  const { id } = (await created.json()) as { id: string }
  const incident = anIncident(3)
  await app.publish([incident])
  await until(() => endpoint.messages.length === 1)
  await app.publish([{ ...incident, version: 2, summary: 'Corrected.' }], 'incident.updated')
  await until(() => endpoint.messages.length === 2)
  await app.publish([{ ...incident, version: 3, status: 'retracted' }], 'incident.retracted')
  await until(() => endpoint.messages.length === 3)
  for (const event of WATCH_EVENTS) await app.post(`/v1/watches/${id}/test`, { event }, key)

  assert.deepEqual(
    endpoint.messages.map(({ json }) => json.event),
    [...WATCH_EVENTS, ...WATCH_EVENTS],
  )
  for (const { json, headers } of endpoint.messages) {
    const { parameters, requestBody } = document.webhooks[json.event]!.post
    assert.deepEqual(validate(requestBody.content['application/json']!.schema, json), [], json.event)
    for (const { name } of parameters) assert.ok(headers[name], name)
    for (const event of WATCH_EVENTS.filter((other) => other !== json.event)) {
      const other = document.webhooks[event]!.post.requestBody.content['application/json']!.schema
      assert.notDeepEqual(validate(other, json), [], `${json.event} is not ${event}`)
    }
  }
})

test('a watch shows its filter in the declared form, however it was written', async () => {
  const filter = { state: 'Kaduna', min_confidence: '0.30000000000000004', near: ['10.5', 7.4], radius_km: ['5'] }
  const response = await app.post('/v1/watches', { name: 'Spelt', url: 'http://localhost:9999/', filter }, key)
  const watch = (await response.json()) as { filter: object }
  assert.deepEqual(watch.filter, {
    state: 'Kaduna',
    min_confidence: 0.30000000000000004,
    near: [10.5, 7.4],
    radius_km: 5,
  })
  assert.deepEqual(validate({ $ref: '#/components/schemas/WatchFilter' }, watch.filter), [])
})
