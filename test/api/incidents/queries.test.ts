import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp, type TestApp } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'

const NOW = Date.parse('2026-04-15T12:00:00Z')
/** From Abuja to Kaduna, straight. */
const ROAD = {
  line: [
    [7.49, 9.06],
    [7.44, 10.52],
  ],
  buffer_km: 10,
}
let app: TestApp
let publishable: string

before(async () => {
  app = await startTestApp({}, { clock: () => NOW })
  publishable = (await app.issue({ kind: 'publishable' })).text
  const at = (lat: number, lng: number, day: string) => ({ lat, lng, published_at: `2026-04-${day}T00:00:00Z` })
  await app.publish([
    anIncident(1, at(9.5, 7.5, '01')),
    anIncident(2, { ...at(10.1, 7.4, '02'), severity: 'low' }),
    anIncident(3, at(10.1, 8.4, '03')),
    anIncident(4, at(9.9, 7.46, '04')),
  ])
})
after(() => app[Symbol.asyncDispose]())

interface Page {
  data: { id: string }[]
  next_cursor: string | null
}

const list = async (body: unknown, key: string = publishable) => {
  const response = await app.post('/v1/incidents/query', body, key)
  assert.equal(response.status, 200, await response.clone().text())
  return (await response.json()) as Page
}
const idsIn = ({ data }: Page) => data.map(({ id }) => id)
const ids = (...numbers: number[]) => numbers.map((number) => anIncident(number).id)

test('a publishable key lists the incidents along a road, newest first', async () => {
  assert.deepEqual(idsIn(await list({ route: ROAD })), ids(4, 2, 1))
  assert.deepEqual(idsIn(await list({ route: ROAD, severity: ['low'] })), ids(2))
  assert.deepEqual(idsIn(await list({ route: ROAD, from: '2026-04-02', to: '2026-04-04' })), ids(2))
})

test('a polygon selects what lies in it', async () => {
  const ring = [
    [8, 10],
    [9, 10],
    [9, 11],
    [8, 11],
    [8, 10],
  ]
  assert.deepEqual(idsIn(await list({ polygon: { type: 'Polygon', coordinates: [ring] } })), ids(3))
})

test('pages follow one another by the cursor, which belongs to its road', async () => {
  const first = await list({ route: ROAD, limit: 2, order: 'oldest' })
  assert.deepEqual(idsIn(first), ids(1, 2))
  const second = await list({ route: ROAD, limit: 2, order: 'oldest', cursor: first.next_cursor })
  assert.deepEqual([idsIn(second), second.next_cursor], [ids(4), null])
  const other = await app.post(
    '/v1/incidents/query',
    { route: { ...ROAD, buffer_km: 11 }, order: 'oldest', cursor: first.next_cursor },
    publishable,
  )
  const { status, code, errors } = await problemOf(other)
  assert.deepEqual([status, code, errors![0]!.pointer], [400, 'cursor_of_another_query', '/cursor'])
})

test('without a shape the answer is that of the GET, in every format', async () => {
  for (const [accept, format] of [
    ['application/json', undefined],
    ['text/csv', undefined],
    ['application/json', 'geojson'],
  ] as const) {
    const get = await app.get(`/v1/incidents?severity=low,high${format ? `&format=${format}` : ''}`, publishable, {
      accept,
    })
    const post = await app.post(
      '/v1/incidents/query',
      { severity: ['low', 'high'], ...(format ? { format } : {}) },
      publishable,
      { accept },
    )
    assert.equal(post.headers.get('content-type'), get.headers.get('content-type'))
    assert.equal(await post.text(), await get.text())
  }
})

test('the statistics of a road count the same incidents', async () => {
  const response = await app.post('/v1/stats/query', { group_by: ['severity'], route: ROAD }, publishable)
  const { total, data } = (await response.json()) as { total: { count: number }; data: { count: number }[] }
  assert.deepEqual([total.count, data.map(({ count }) => count)], [3, [1, 2]])
  const get = await app.get('/v1/stats?group_by=day,severity&since=30d&time_zone=Africa/Lagos', publishable)
  const question = { group_by: 'day,severity', since: '30d', time_zone: 'Africa/Lagos' }
  const post = await app.post('/v1/stats/query', question, publishable)
  assert.equal(await post.text(), await get.text())
})

test('caches keep no answer to a POST', async () => {
  const { headers } = await app.post('/v1/incidents/query', {}, publishable, { 'if-none-match': '*' })
  assert.deepEqual([headers.get('cache-control'), headers.get('etag')], ['no-store', null])
})

const WRONG: readonly { path: string; body: unknown; pointers: readonly string[] }[] = [
  { path: 'incidents', body: [], pointers: [''] },
  { path: 'incidents', body: { sate: 'Kaduna' }, pointers: ['/sate'] },
  {
    path: 'incidents',
    body: { state: 'Kadunna', limit: 0, order: 'up', format: 'xml' },
    pointers: ['/state', '/order', '/format', '/limit'],
  },
  { path: 'incidents', body: { route: { line: [[7, 9]], buffer_km: 5 } }, pointers: ['/route/line'] },
  { path: 'incidents', body: { route: { line: ROAD.line, buffer_km: 1000 } }, pointers: ['/route/buffer_km'] },
  { path: 'incidents', body: { polygon: { type: 'Point' } }, pointers: ['/polygon/type'] },
  { path: 'incidents', body: { group_by: 'state' }, pointers: ['/group_by'] },
  { path: 'incidents', body: { cursor: 'x' }, pointers: ['/cursor'] },
  { path: 'stats', body: {}, pointers: ['/group_by'] },
  { path: 'stats', body: { group_by: ['colour'], since: 'x' }, pointers: ['/since', '/group_by'] },
  {
    path: 'stats',
    body: { group_by: ['hour', 'lga'], from: '1990-01-01', to: '2026-01-01' },
    pointers: ['/group_by'],
  },
  { path: 'stats', body: { group_by: 'state', route: 'A2', time_zone: 'CET' }, pointers: ['/route', '/time_zone'] },
]

for (const { path, body, pointers } of WRONG) {
  test(`POST /v1/${path}/query refuses ${JSON.stringify(body).slice(0, 70)} and names the members`, async () => {
    const { status, errors } = await problemOf(await app.post(`/v1/${path}/query`, body, publishable))
    assert.equal(status, 400)
    assert.deepEqual(
      errors!.map(({ pointer }) => pointer),
      pointers,
    )
  })
}

test('a page of another site may ask with a publishable key, and only here with a body', async () => {
  const preflight = (path: string) =>
    fetch(app.url + path, {
      method: 'OPTIONS',
      headers: { origin: 'https://example.org', 'access-control-request-method': 'POST' },
    })
  for (const path of ['/v1/incidents/query', '/v1/stats/query']) {
    const { headers } = await preflight(path)
    assert.equal(headers.get('access-control-allow-methods'), 'POST')
    assert.match(headers.get('access-control-allow-headers')!, /Content-Type/)
  }
  for (const path of ['/v1/keys', '/v1/watches']) {
    assert.equal((await preflight(path)).headers.get('access-control-allow-methods'), 'GET')
  }
})
