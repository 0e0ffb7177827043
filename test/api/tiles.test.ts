import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp, type TestApp } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { countIn, featuresOf } from '../support/readers.ts'

const COUNT = 150
const NOW = Date.parse(anIncident(COUNT).published_at!)
let now = NOW
let app: TestApp

before(async () => {
  app = await startTestApp({}, { clock: () => now })
  // A grid over much of Nigeria, with points on the edges of tiles.
  await app.publish(
    Array.from({ length: COUNT }, (_, number) =>
      anIncident(number, {
        lng: 2.8125 * (1 + (number % 5)),
        lat: 4 + (number % 30) / 3,
        severity: number % 3 ? 'low' : 'high',
      }),
    ),
  )
})
after(() => app[Symbol.asyncDispose]())

const shown = async (path: string) => {
  const response = await app.get(`/v1/tiles/${path}`)
  if (response.status === 204) return []
  assert.equal(response.status, 200)
  return featuresOf(new Uint8Array(await response.arrayBuffer()))
}

test('the counts of all tiles of a zoom add up to the list’s total, with a filter too', async () => {
  const query = '?severity=high'
  const { data } = (await (await app.get(`/v1/incidents${query}&limit=1000`)).json()) as { data: unknown[] }
  for (const z of [0, 1, 2, 5, 7]) {
    // The tiles over Nigeria and those around it.
    const across = 2 ** z
    const columns = Array.from({ length: across }, (_, x) => x).filter(
      (x) => Math.abs(x / across - 0.52) < 0.06 + 1 / across,
    )
    const rows = Array.from({ length: across }, (_, y) => y).filter(
      (y) => Math.abs(y / across - 0.48) < 0.06 + 1 / across,
    )
    let [all, high] = [0, 0]
    for (const x of columns) {
      for (const y of rows) {
        all += countIn(await shown(`${z}/${x}/${y}.mvt`))
        high += countIn(await shown(`${z}/${x}/${y}.mvt${query}`))
      }
    }
    assert.deepEqual([all, high], [COUNT, data.length], `zoom ${z}`)
  }
})

test('a tile has a type and an ETag, is compressed and revalidated', async () => {
  const response = await app.get('/v1/tiles/16/34103/31000.mvt')
  assert.deepEqual([response.status, await response.text()], [204, ''])
  assert.equal(response.headers.get('cache-control'), 'private, no-cache')
  const ask = (headers: Record<string, string>) => app.get('/v1/tiles/5/16/15.mvt', undefined, headers)
  const plain = await ask({ 'accept-encoding': 'identity' })
  assert.equal(plain.headers.get('content-type'), 'application/vnd.mapbox-vector-tile')
  assert.equal(plain.headers.get('cache-control'), 'private, no-cache')
  const bytes = Buffer.from(await plain.arrayBuffer())
  for (const encoding of ['gzip', 'br']) {
    const compressed = await ask({ 'accept-encoding': encoding })
    assert.equal(compressed.headers.get('content-encoding'), encoding)
    assert.deepEqual(Buffer.from(await compressed.arrayBuffer()), bytes)
  }
  assert.equal((await ask({ 'if-none-match': plain.headers.get('etag')! })).status, 304)
})

const WRONG = {
  '17/0/0.mvt': /z must be a whole number from 0 to 16/,
  '-1/0/0.mvt': /z must be/,
  '1.5/0/0.mvt': /z must be/,
  '2/4/0.mvt': /x must be a whole number from 0 to 3 at zoom 2/,
  '2/x/99.mvt': /x must be .*; y must be/,
  '0/0/00.mvt': /y must be a whole number from 0 to 0 at zoom 0/,
  '0/0/0.mvt?state=Kadunna': /"Kadunna" is not a state/,
  '0/0/0.mvt?limit=5': /limit is not a parameter here/,
}
for (const [path, message] of Object.entries(WRONG)) {
  test(`${path} is refused: ${message.source}`, async () => {
    const { status, code, detail } = await problemOf(await app.get(`/v1/tiles/${path}`))
    assert.deepEqual([status, code], [400, 'invalid_parameter'])
    assert.match(detail, message)
  })
}

test('another file extension is 404, and a key is required', async () => {
  assert.equal((await problemOf(await app.get('/v1/tiles/0/0/0.png'))).code, 'not_found')
  assert.equal((await problemOf(await app.get('/v1/tiles/0/0/0.mvt', null))).code, 'missing_key')
})

test('a since window moves with time, and a new incident is visible at once', async () => {
  const count = async () => countIn(await shown('0/0/0.mvt?since=1h'))
  now = Date.parse(anIncident(COUNT - 1).published_at!)
  assert.deepEqual([await count(), await count()], [61, 61])
  now += 60_000
  assert.equal(await count(), 60)
  await app.publish([anIncident(COUNT)])
  assert.equal(await count(), 61)
  now += 2 * 3_600_000
  assert.equal(await count(), 0)
})
