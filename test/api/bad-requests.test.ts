import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp, type TestApp } from '../support/app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app[Symbol.asyncDispose]())

const QUERIES: [string, string, string][] = [
  ['an unknown parameter', '/v1/incidents?colour=red', 'invalid_parameter'],
  ['a repeated parameter that takes one value', '/v1/incidents?bbox=1,2,3,4&bbox=1,2,3,5', 'invalid_parameter'],
  ['a repeated page size', '/v1/incidents?limit=1&limit=2', 'invalid_parameter'],
  ['an empty parameter', '/v1/incidents?limit=', 'invalid_parameter'],
  ['a malformed parameter', '/v1/incidents?since=soon', 'invalid_parameter'],
  ['contradictory parameters', '/v1/incidents?since=24h&to=2026-01-01', 'invalid_parameter'],
  ['a page size of 0', '/v1/incidents?limit=0', 'invalid_parameter'],
  ['a page size above 1000', '/v1/incidents?limit=1001', 'invalid_parameter'],
  ['a page size that is not a number', '/v1/incidents?limit=ten', 'invalid_parameter'],
  ['an unknown order', '/v1/incidents?order=newst', 'invalid_parameter'],
  ['a broken cursor', '/v1/incidents?cursor=abc', 'invalid_cursor'],
  ['a parameter of a path without parameters', '/v1/me?verbose=1', 'invalid_parameter'],
  ['a parameter for one incident', '/v1/incidents/inc_1?limit=1', 'invalid_parameter'],
  ['a path that is not UTF-8', '/v1/incidents/%ff', 'malformed_request'],
  ['a path that is badly escaped', '/v1/incidents/%zz', 'malformed_request'],
  ['an unknown path', '/v1/incident', 'not_found'],
  ['a path with a character that its route does not accept', '/v1/tiles/0/0/%0A.mvt', 'not_found'],
  ['a name that is too long', `/v1/tiles/0/0/${'0'.repeat(201)}.mvt`, 'not_found'],
]

for (const [what, path, code] of QUERIES) {
  test(`${what} is refused`, async () => {
    const problem = await problemOf(await app.get(path))
    assert.equal(problem.code, code)
    if (code === 'invalid_parameter') assert.equal(problem.errors?.length, 1)
  })
}

test('a cursor of another filter or order gets another error than a broken one', async () => {
  const { anIncident } = await import('../support/incident.ts')
  await app.publish([anIncident(1), anIncident(2)])
  const { next_cursor } = (await (await app.get('/v1/incidents?limit=1')).json()) as { next_cursor: string }
  assert.equal((await app.get(`/v1/incidents?limit=1&cursor=${next_cursor}`)).status, 200)
  for (const other of ['state=Kaduna', 'order=oldest', 'since=2w']) {
    assert.equal(
      (await problemOf(await app.get(`/v1/incidents?${other}&cursor=${next_cursor}`))).code,
      'cursor_of_another_query',
    )
  }
})

const BODIES: [string, string | Uint8Array, Record<string, string>, number, string][] = [
  ['is not JSON', '{"email":', {}, 400, 'malformed_json'],
  ['is two JSON values', '{}{}', {}, 400, 'malformed_json'],
  ['is not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, 400, 'malformed_json'],
  [
    'is a form',
    'email=a%40example.org',
    { 'content-type': 'application/x-www-form-urlencoded' },
    415,
    'unsupported_media_type',
  ],
  ['is plain text', '{}', { 'content-type': 'text/plain' }, 415, 'unsupported_media_type'],
  ['has an invalid content type', '{}', { 'content-type': 'nonsense' }, 415, 'unsupported_media_type'],
  ['is too large', JSON.stringify({ email: 'x'.repeat(300_000) }), {}, 413, 'body_too_large'],
  ['nests ten thousand levels', '['.repeat(10_000) + ']'.repeat(10_000), {}, 422, 'invalid_body'],
  ['sets a prototype', '{"__proto__":{"scopes":["operate"]},"constructor":{"prototype":{}}}', {}, 422, 'invalid_body'],
]

for (const [what, body, headers, status, code] of BODIES) {
  test(`a body that ${what} is ${status}`, async () => {
    const response = await fetch(`${app.url}/v1/keys`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
    assert.deepEqual([response.status, (await problemOf(response)).code], [status, code])
  })
}

test('a method that a path does not allow is 405, with the allowed methods', async () => {
  for (const [method, path, allow] of [
    ['DELETE', '/v1/incidents', 'GET, HEAD'],
    ['POST', '/v1/incidents/x', 'GET, HEAD'],
    ['PUT', '/v1/keys', 'POST, GET, HEAD'],
    ['GET', '/v1/keys/x', 'PATCH, DELETE'],
    ['POST', '/healthz', 'GET, HEAD'],
  ]) {
    const response = await fetch(app.url + path, { method: method! })
    assert.deepEqual(
      [response.headers.get('allow'), (await problemOf(response)).code],
      [allow, 'method_not_allowed'],
      `${method} ${path}`,
    )
  }
})

test('a body without a content type is 415', async () => {
  const response = await fetch(`${app.url}/v1/incidents`, { method: 'QUERY' })
  assert.equal((await problemOf(response)).code, 'unsupported_media_type')
})

test('a field that nests a hundred thousand levels is refused in every body; the limit is thirty-two', async () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
  for (const [depth, message] of [
    [100_000, 'may nest up to 32 levels of arrays and objects'],
    [29, 'must be "Polygon" or "MultiPolygon"'],
  ] as const) {
    const body = `{"filter":{"polygon":{"type":${nested(depth)},"coordinates":[]}}}`
    const { detail } = await problemOf(await app.post('/v1/watches/preview', body))
    assert.ok(detail.includes(message), detail.slice(0, 300))
  }
})

/** Sends bytes that no HTTP client would send, and returns the response. */
function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(app.url)
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('close', () => resolve(answer))
    socket.on('error', reject)
  })
}

test('malformed HTTP is refused with the same problem+json', async () => {
  for (const [bytes, status] of [
    ['NONSENSE\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\nHeader\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['POST /v1/keys HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n', 400],
    ['GET /v1/taxonomy HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['GET /v1/taxonomy HTTP/1.1\r\nHost: a\r\nExpect: a-miracle\r\nConnection: close\r\n\r\n', 401],
  ] as const) {
    const answer = await raw(bytes)
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `))
    const problem = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as { status: number; request_id: string }
    assert.equal(problem.status, status)
    assert.match(problem.request_id, /^req_/)
  }
})
