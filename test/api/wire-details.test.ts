import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { problemOf, startTestApp, type TestApp } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'

const NOW = Date.parse('2026-04-15T12:00:00Z')
let app: TestApp
let key: string

before(async () => {
  app = await startTestApp({}, { clock: () => NOW })
  key = (await app.issue()).text
  await app.publish([1, 2, 3].map((number) => anIncident(number)))
})
after(() => app[Symbol.asyncDispose]())

test('a trailing slash is the same address, for the API and for pages, without a redirect', async () => {
  for (const path of ['/v1/incidents', `/v1/incidents/${anIncident(1).id}`, '/v1/places/states', '/docs', '/about']) {
    const [plain, slashed] = await Promise.all([app.get(path), app.get(`${path}/`)])
    assert.equal(plain.status, 200, path)
    assert.equal(slashed.status, 200, `${path}/`)
    assert.equal(await slashed.text(), await plain.text(), path)
  }
  const query = await app.get('/v1/incidents/?limit=1')
  assert.match(query.headers.get('link')!, /^<\/v1\/incidents\/\?limit=1&cursor=.+>; rel="next"$/)
})

test('a trailing slash does not hide which methods a path allows', async () => {
  const response = await app.delete('/v1/incidents/', key)
  assert.equal((await problemOf(response)).code, 'method_not_allowed')
  assert.equal((await app.get('/v1/nothing/')).status, 404)
})

const send = (body: Uint8Array, encoding: string) =>
  fetch(`${app.url}/v1/incidents/query`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-encoding': encoding,
    },
    body: Buffer.from(body),
  })

test('a body may be sent with gzip', async () => {
  for (const encoding of ['gzip', 'GZIP', 'x-gzip']) {
    const response = await send(gzipSync('{"limit":2}'), encoding)
    assert.equal(response.status, 200)
    assert.equal(((await response.json()) as { data: unknown[] }).data.length, 2)
  }
  assert.equal((await send(Buffer.from('{"limit":2}'), 'identity')).status, 200)
})

test('a body that inflates to more than 256 KiB is 413, however small it is on the wire', async () => {
  const bomb = gzipSync(Buffer.alloc(100 << 20, 32))
  assert.ok(bomb.length < 256 * 1024)
  const { code, detail } = await problemOf(await send(bomb, 'gzip'))
  assert.equal(code, 'body_too_large')
  assert.match(detail, /256 KiB once it is inflated/)
  const fits = Buffer.concat([Buffer.from('{"limit":1}'), Buffer.alloc(256 * 1024 - 11, 32)])
  assert.equal((await send(gzipSync(fits), 'gzip')).status, 200)
})

test('other encodings are 415 and say what to send; what is not gzip is 400', async () => {
  for (const encoding of ['br', 'gzip, gzip', 'deflate']) {
    const response = await send(brotliCompressSync('{}'), encoding)
    assert.equal(response.headers.get('accept-encoding'), 'gzip, identity')
    const { status, detail } = await problemOf(response)
    assert.equal(status, 415)
    assert.match(detail, /Content-Encoding: gzip/)
  }
  for (const body of [Buffer.from('{"limit":2}'), gzipSync('{"limit":2}').subarray(0, 15)])
    assert.equal((await problemOf(await send(body, 'gzip'))).code, 'malformed_request')
  assert.equal((await problemOf(await send(gzipSync('{"limit":'), 'gzip'))).code, 'malformed_json')
})

test('a form is not taken compressed', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-encoding': 'gzip' }
  const response = await fetch(`${app.url}/report`, { method: 'POST', headers, body: Buffer.from(gzipSync('text=a')) })
  assert.equal(response.status, 415)
})

test('no answer to a key is public in caches', async () => {
  const { text: publishable } = await app.issue({ kind: 'publishable' })
  const paths = [
    ...['/v1/incidents', '/v1/incidents?format=csv', '/v1/stats?group_by=state', '/v1/tiles/5/16/15.mvt'],
    ...['/v1/changes', '/v1/archive', '/v1/archive/2026-03.csv', '/v1/taxonomy', `/v1/incidents/${anIncident(1).id}`],
    ...[
      '/v1/places/states',
      '/v1/places/states.geojson',
      '/v1/places/locate?lat=9&lng=7',
      '/v1/me',
      '/v1/feeds/incidents.atom',
    ],
  ]
  for (const path of paths) {
    for (const given of [key, publishable]) {
      const response = await app.get(path, given)
      assert.ok(response.status < 500)
      assert.doesNotMatch(response.headers.get('cache-control') ?? '', /public/, path)
    }
  }
})

test('every list from the archive says when it was in step', async () => {
  const paths = [
    '/v1/incidents',
    '/v1/incidents?format=geojson',
    '/v1/stats?group_by=state',
    '/v1/changes',
    '/v1/archive',
  ]
  for (const path of paths) {
    const { meta } = (await (await app.get(path)).json()) as { meta: { in_step_at: string } }
    assert.match(meta.in_step_at, /^2026-04-15T12:00:/, path)
  }
})

test('repeated lists equal comma lists, up to a hundred values in all', async () => {
  const etag = async (query: string) => (await app.get(`/v1/incidents?${query}`)).headers.get('etag')
  assert.equal(await etag('state=Kaduna&state=Lagos'), await etag('state=Kaduna,Lagos'))
  assert.notEqual(await etag('state=Kaduna'), await etag('state=Lagos'))
  assert.equal(await etag('type=kidnapping,banditry&type=protest'), await etag('type=protest,kidnapping,banditry'))
  const many = (count: number) => Array.from({ length: count }, () => 'state=Kaduna').join('&')
  assert.equal((await app.get(`/v1/incidents?${many(100)}`)).status, 200)
  assert.equal((await problemOf(await app.get(`/v1/incidents?${many(101)}`))).code, 'too_many_values')
  const both = `${many(60)}&state=${'Kaduna,'.repeat(40)}Kaduna`
  assert.equal((await problemOf(await app.get(`/v1/incidents?${both}`))).code, 'too_many_values')
  assert.equal((await problemOf(await app.get('/v1/incidents?limit=1&limit=2'))).code, 'invalid_parameter')
})
