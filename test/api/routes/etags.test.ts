import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'

const NOW = Date.parse('2026-04-15T12:00:00Z')
let app: TestApp

const inKaduna = (number: number) => anIncident(number, { published_at: '2026-04-01T00:00:00Z' })
const inLagos = (number: number) => {
  const { location, ...rest } = anIncident(number)
  return anIncident(number, {
    ...rest,
    state: 'Lagos',
    lga: 'Ikeja',
    lat: 6.6,
    lng: 3.35,
    location: { ...location, place: 'Ikeja', state_code: 'NG-LA', lga_code: 'NG-LA-IKEJA' },
    published_at: '2026-04-10T00:00:00Z',
  })
}

before(async () => {
  app = await startTestApp({}, { clock: () => NOW })
  await app.publish([inKaduna(1), inKaduna(2), inKaduna(3)])
})
after(() => app[Symbol.asyncDispose]())

const PATHS = [
  ...['json', 'geojson', 'csv', 'ndjson'].map((format) => `/v1/incidents?state=Kaduna&format=${format}`),
  '/v1/incidents?state=Kaduna&limit=2&since=30d',
  '/v1/incidents?state=Kaduna&order=oldest&limit=1',
  '/v1/stats?state=Kaduna&group_by=type,severity',
  '/v1/stats?state=Kaduna&group_by=month&from=2026-01-01&to=2026-05-01',
  '/v1/feeds/incidents.atom?state=Kaduna',
  '/v1/changes?limit=2',
]

test('an arrival that does not touch an answer leaves its ETag, and 304 is the answer', async () => {
  const etags = new Map<string, string>()
  for (const path of PATHS) etags.set(path, (await app.get(path)).headers.get('etag')!)
  await app.publish([inLagos(10)])
  for (const [path, etag] of etags) {
    assert.match(etag, /^W\//, path)
    assert.equal((await app.get(path, undefined, { 'if-none-match': etag })).status, 304, path)
  }
  const { meta } = (await (await app.get(PATHS[0]!)).json()) as { meta: { seq: number } }
  assert.equal(meta.seq, 4)
})

test('an arrival, a correction and a retraction that touch an answer change its ETag', async () => {
  const touched = PATHS.filter((path) => !path.startsWith('/v1/changes') && !path.includes('oldest'))
  const read = () => Promise.all(touched.map(async (path) => (await app.get(path)).headers.get('etag')!))
  const before = await read()
  await app.publish([inKaduna(4)])
  const arrived = await read()
  await app.publish([{ ...inKaduna(4), severity: 'low', summary: 'Corrected.', version: 2 }], 'incident.updated')
  const corrected = await read()
  await app.publish([{ ...inKaduna(4), status: 'retracted', version: 3 }], 'incident.retracted')
  const retracted = await read()
  for (const [at, path] of touched.entries()) {
    assert.notEqual(arrived[at], before[at], `${path} after an arrival`)
    if (!path.includes('group_by=month')) assert.notEqual(corrected[at], arrived[at], `${path} after a correction`)
    assert.equal(retracted[at], before[at], `${path} is as it was before`)
  }
})

test('a page that gains a successor has another ETag, though its incidents are the same', async () => {
  const path = '/v1/incidents?state=Lagos&order=oldest&limit=1'
  const alone = (await app.get(path)).headers.get('etag')
  await app.publish([inLagos(11)])
  assert.notEqual((await app.get(path)).headers.get('etag'), alone)
})
