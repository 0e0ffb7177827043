import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Incident } from '../../../../src/domain/incident.ts'
import { problemOf, startTestApp, type TestApp } from '../../../support/app.ts'
import { anIncident } from '../../../support/incident.ts'

let app: TestApp
const COUNT = 130
const NOW = Date.parse(anIncident(COUNT).published_at!)

interface List {
  data: Incident[]
  has_more: boolean
  next_cursor: string | null
  meta: { as_of: string; seq: number; newest_published_at: string | null; in_step_at: string }
}
const list = async (response: Response) => {
  assert.equal(response.status, 200)
  return (await response.json()) as List
}

before(async () => {
  app = await startTestApp({}, { clock: () => NOW })
  const lagos = {
    state: 'Lagos',
    lga: 'Ikeja',
    location: { ...anIncident().location, state_code: 'NG-LA', lga_code: 'NG-LA-IKEJA' },
  }
  await app.publish(Array.from({ length: COUNT }, (_, number) => anIncident(number, number % 3 === 0 ? lagos : {})))
})
after(() => app[Symbol.asyncDispose]())

test('a list is an object with data, as the specification shows it, newest first', async () => {
  const { data, has_more, next_cursor, meta } = await list(await app.get('/v1/incidents'))
  assert.equal(data.length, 50)
  assert.deepEqual(Object.keys(data[0]!), Object.keys(anIncident()))
  assert.deepEqual(data[1], anIncident(128))
  assert.deepEqual(
    data.map(({ id }) => id),
    Array.from({ length: 50 }, (_, index) => anIncident(129 - index).id),
  )
  assert.equal(has_more, true)
  assert.equal(typeof next_cursor, 'string')
  assert.deepEqual(meta, {
    as_of: new Date(NOW).toISOString(),
    seq: COUNT,
    newest_published_at: anIncident(129).published_at,
    in_step_at: new Date(NOW).toISOString(),
  })
})

test('the path without a version gives the same bytes', async () => {
  for (const path of ['/incidents?state=lagos&since=1h', `/incidents/${anIncident(1).id}`]) {
    const [plain, versioned] = await Promise.all([app.get(path), app.get(`/v1${path}`)])
    assert.equal(plain.status, 200)
    assert.equal(await plain.text(), await versioned.text())
    assert.equal(plain.headers.get('etag'), versioned.headers.get('etag'))
  }
})

test('state and since must both hold, in either case of the state', async () => {
  for (const state of ['Lagos', 'lagos', 'LAGOS']) {
    const { data } = await list(await app.get(`/v1/incidents?state=${state}&since=1h`))
    assert.deepEqual(
      data.map(({ id }) => id),
      [129, 126, 123, 120, 117, 114, 111, 108, 105, 102, 99, 96, 93, 90, 87, 84, 81, 78, 75, 72].map(
        (number) => anIncident(number).id,
      ),
    )
    assert.ok(data.every((incident) => incident.state === 'Lagos'))
  }
})

test('pages linked by cursor and by Link contain each incident once', async () => {
  const byCursor: string[] = []
  const byLink: string[] = []
  for (let path: string | null = '/v1/incidents?state=Kaduna&limit=40&order=oldest'; path !== null; ) {
    const response: Response = await app.get(path)
    const link = response.headers.get('link')
    byLink.push(...(await list(response)).data.map(({ id }) => id))
    path = link === null ? null : /^<([^>]+)>; rel="next"$/.exec(link)![1]!
  }
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { data, next_cursor }: List = await list(
      await app.get(`/v1/incidents?state=kaduna&limit=40&order=oldest${cursor && `&cursor=${cursor}`}`),
    )
    byCursor.push(...data.map(({ id }) => id))
    cursor = next_cursor
  }
  const expected = Array.from({ length: COUNT }, (_, number) => number).filter((number) => number % 3 !== 0)
  assert.deepEqual(
    byLink,
    expected.map((number) => anIncident(number).id),
  )
  assert.deepEqual(byCursor, byLink)
})

test('the last page says that nothing follows', async () => {
  const response = await app.get('/v1/incidents?limit=130')
  assert.equal(response.headers.get('link'), null)
  const { has_more, next_cursor } = await list(response)
  assert.deepEqual([has_more, next_cursor], [false, null])
})

test('an unchanged response is 304 until the next event', async () => {
  const first = await app.get('/v1/incidents?limit=1')
  const etag = first.headers.get('etag')!
  const again = await app.get('/v1/incidents?limit=1', undefined, { 'if-none-match': `"other", ${etag}` })
  assert.deepEqual([again.status, await again.text()], [304, ''])
  assert.equal((await app.get('/v1/incidents?limit=2', undefined, { 'if-none-match': etag })).status, 200)
  const one = await app.get(`/v1/incidents/${anIncident(5).id}`)
  assert.equal(
    (await app.get(`/v1/incidents/${anIncident(5).id}`, undefined, { 'if-none-match': one.headers.get('etag')! }))
      .status,
    304,
  )
})

test('br and gzip contain the same bytes, and br is preferred', async () => {
  const plain = Buffer.from(
    await (await app.get('/v1/incidents', undefined, { 'accept-encoding': 'identity' })).arrayBuffer(),
  )
  for (const [accept, encoding, unpack] of [
    ['br', 'br', brotliDecompressSync],
    ['gzip, deflate', 'gzip', gunzipSync],
    ['gzip, br', 'br', brotliDecompressSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ] as const) {
    for (const round of ['compressed', 'cached']) {
      const response = await app.app.server.inject({
        url: '/v1/incidents',
        headers: { 'accept-encoding': accept, authorization: `Bearer ${(await app.issue()).text}` },
      })
      assert.equal(response.headers['content-encoding'], encoding, round)
      assert.deepEqual(unpack(response.rawPayload), plain)
    }
  }
})

test('one incident is read by its id', async () => {
  const response = await app.get(`/v1/incidents/${anIncident(7).id}`)
  assert.deepEqual(await response.json(), anIncident(7))
  assert.equal(response.headers.get('cache-control'), 'private, no-cache')
})

test('an unknown id is 404, a retracted one 410, and a correction is visible at once', async () => {
  await using own = await startTestApp()
  await own.publish([anIncident(1), anIncident(2)])
  await own.publish([anIncident(1, { version: 2, status: 'retracted' })], 'incident.retracted')
  await own.publish([anIncident(2, { version: 2, summary: 'Corrected.' })], 'incident.updated')
  assert.equal((await problemOf(await own.get(`/v1/incidents/${anIncident(1).id}`))).code, 'retracted')
  for (const id of [anIncident(3).id, 'inc_', 'x', '%00', '__proto__', 'x'.repeat(150)]) {
    assert.equal((await problemOf(await own.get(`/v1/incidents/${id}`))).code, 'not_found', id)
  }
  const { data } = await list(await own.get('/v1/incidents'))
  assert.deepEqual(
    data.map(({ id, summary }) => [id, summary]),
    [[anIncident(2).id, 'Corrected.']],
  )
})

test('a since window moves with time, even without events and with a cached response', async () => {
  let now = NOW
  await using own = await startTestApp({}, { clock: () => now })
  await own.publish([anIncident(1), anIncident(2), anIncident(3)])
  const count = async () => (await list(await own.get('/v1/incidents?since=1h'))).data.length
  now = Date.parse(anIncident(1).published_at!) + 3_600_000
  assert.deepEqual([await count(), await count()], [3, 3])
  now += 1
  assert.equal(await count(), 2)
  now += 120_000
  assert.equal(await count(), 0)
})

test('the ETag changes when an event or the window changes the response, and only then', async () => {
  let now = Date.parse(anIncident(3).published_at!)
  await using own = await startTestApp({}, { clock: () => now })
  await own.publish([anIncident(1), anIncident(2), anIncident(3)])
  const names = async () => {
    const paths = [
      '/v1/incidents?since=1h',
      '/v1/incidents?since=1h&order=oldest&limit=1',
      '/v1/incidents?since=1h&limit=1',
      '/v1/incidents',
    ]
    return Promise.all(paths.map(async (path) => (await own.get(path)).headers.get('etag')!))
  }
  const first = await names()
  assert.equal(new Set(first).size, 4)
  now += 30 * 60_000
  assert.deepEqual(await names(), first)
  now = Date.parse(anIncident(1).published_at!) + 3_600_001
  const second = await names()
  assert.deepEqual(
    second.map((name, index) => name === first[index]),
    [false, false, true, true],
  )
  await own.publish([anIncident(2, { version: 2, summary: 'Corrected.' })], 'incident.updated')
  assert.deepEqual(
    (await names()).map((name, index) => name === second[index]),
    // The newest incident is not the corrected one.
    [false, false, true, false],
  )
})

test('later pages of a since window keep the window of the first page', async () => {
  let now = Date.parse(anIncident(10).published_at!)
  await using own = await startTestApp({}, { clock: () => now })
  await own.publish(Array.from({ length: 10 }, (_, number) => anIncident(number)))
  const first = await list(await own.get('/v1/incidents?since=10m&limit=5'))
  now += 3_600_000
  const second = await list(await own.get(`/v1/incidents?since=10m&limit=5&cursor=${first.next_cursor}`))
  assert.equal(second.data.length, 5)
  assert.equal(second.has_more, false)
})

test('an empty archive gives an empty list', async () => {
  await using own = await startTestApp()
  const { data, has_more, next_cursor, meta } = await list(await own.get('/v1/incidents'))
  assert.deepEqual([data, has_more, next_cursor, meta.newest_published_at, meta.seq], [[], false, null, null, 0])
})

test('HEAD sends only the headers', async () => {
  const { text } = await app.issue()
  const response = await fetch(`${app.url}/v1/incidents`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${text}` },
  })
  assert.deepEqual([response.status, await response.text()], [200, ''])
  assert.ok(response.headers.get('etag'))
})
