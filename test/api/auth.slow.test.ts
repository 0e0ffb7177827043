import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, type TestApp } from '../support/app.ts'

test('a browser may read with a publishable key, from any origin or from the origins of the key', async () => {
  await using app = await startTestApp()
  const [free, bound] = [
    await app.issue({ kind: 'publishable' }),
    await app.issue({ kind: 'publishable', origins: ['https://map.example.org'] }),
  ]
  const fromAnywhere = await app.get('/v1/incidents', free.text, { origin: 'https://anywhere.example' })
  assert.equal(fromAnywhere.headers.get('access-control-allow-origin'), '*')
  assert.match(fromAnywhere.headers.get('access-control-expose-headers')!, /ETag.*RateLimit/)
  const fromMap = await app.get('/v1/incidents', bound.text, { origin: 'https://map.example.org' })
  assert.deepEqual(
    [fromMap.status, fromMap.headers.get('access-control-allow-origin'), fromMap.headers.get('vary')],
    [200, 'https://map.example.org', 'Origin, Accept, Accept-Encoding'],
  )
})

test('a page on the service itself counts as its own origin', async () => {
  await using app = await startTestApp()
  const { text } = await app.issue({ kind: 'publishable', origins: [app.url] })
  assert.equal(
    (
      await app.app.server.inject({
        url: '/v1/incidents',
        headers: { authorization: `Bearer ${text}`, 'sec-fetch-site': 'same-origin', host: new URL(app.url).host },
      })
    ).statusCode,
    200,
  )
  assert.equal(
    (
      await app.app.server.inject({
        url: '/v1/incidents',
        headers: { authorization: `Bearer ${text}`, 'sec-fetch-site': 'cross-site', host: new URL(app.url).host },
      })
    ).statusCode,
    403,
  )
})

test('the own origin is that of PUBLIC_URL, or of the connection; what a proxy says about it is not read', async () => {
  const statusOf = async (app: TestApp, ownOrigin: string) => {
    const { text } = await app.issue({ kind: 'publishable', origins: [ownOrigin] })
    const forwarded = { 'x-forwarded-host': 'map.example.org', 'x-forwarded-proto': 'https' }
    const headers = { authorization: `Bearer ${text}`, 'sec-fetch-site': 'same-origin', ...forwarded }
    return (await app.app.server.inject({ url: '/v1/incidents', headers: { ...headers, host: 'inside:8080' } }))
      .statusCode
  }
  await using plain = await startTestApp({ TRUST_PROXY: 'loopback' })
  assert.equal(await statusOf(plain, 'https://map.example.org'), 403)
  assert.equal(await statusOf(plain, 'http://inside:8080'), 200)
  await using known = await startTestApp({ TRUST_PROXY: 'loopback', PUBLIC_URL: 'https://feed.example.org' })
  assert.equal(await statusOf(known, 'https://map.example.org'), 403)
  assert.equal(await statusOf(known, 'https://feed.example.org'), 200)
})

test('a web page cannot read a response to a secret key', async () => {
  await using app = await startTestApp()
  const response = await app.get('/v1/incidents', undefined, { origin: 'https://example.org' })
  assert.equal(response.headers.get('access-control-allow-origin'), null)
})

test('a preflight is answered without a key', async () => {
  await using app = await startTestApp()
  for (const path of ['/v1/incidents', '/v1/incidents/inc_x', '/incidents', '/v1/taxonomy']) {
    const response = await fetch(app.url + path, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://example.org',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    })
    assert.deepEqual([response.status, response.headers.get('access-control-allow-origin')], [204, '*'], path)
    assert.match(response.headers.get('access-control-allow-headers')!, /Authorization/)
  }
})

test('every response has a request id and forbids content sniffing', async () => {
  await using app = await startTestApp({ PUBLIC_URL: 'https://feed.example.org' })
  const ids = new Set<string>()
  for (const path of ['/', '/docs', '/v1/incidents', '/nothing', '/healthz', '/openapi.json']) {
    const { headers } = await app.get(path)
    ids.add(headers.get('x-request-id')!)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('strict-transport-security'), 'max-age=31536000')
  }
  assert.equal(ids.size, 6)
})
