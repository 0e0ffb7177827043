import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { check } from '@placemarkio/check-geojson'
import { parse } from 'csv-parse/sync'
import type { Incident } from '../../../../src/domain/incident.ts'
import { FORMATS } from '../../../../src/filter/listing.ts'
import { problemOf, startTestApp, type TestApp } from '../../../support/app.ts'
import { anIncident, awkwardIncidents } from '../../../support/incident.ts'

/** A fixed time, so that responses differ in nothing but their format. */
const STARTED_AT = Date.now()

let app: TestApp
before(async () => {
  app = await startTestApp({}, { clock: () => STARTED_AT })
  await app.publish([...awkwardIncidents(), ...Array.from({ length: 20 }, (_, number) => anIncident(number + 100))])
})
after(() => app[Symbol.asyncDispose]())

const PATH = '/v1/incidents?state=Kaduna&limit=10'

interface List {
  data: Incident[]
  has_more: boolean
  next_cursor: string
  meta: object
}

/** Reads the ids from a page in any format. */
const READ: Record<keyof typeof FORMATS, (text: string) => string[]> = {
  json: (text) => (JSON.parse(text) as List).data.map(({ id }) => id),
  geojson: (text) => (check(text) as GeoJSON.FeatureCollection).features.map(({ id }) => String(id)),
  csv: (text) => (parse(text, { columns: true, record_delimiter: '\r\n' }) as { id: string }[]).map(({ id }) => id),
  ndjson: (text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as Incident).id),
}

for (const [format, type] of Object.entries(FORMATS) as [keyof typeof FORMATS, string][]) {
  test(`${format} is given by Accept and by format, page after page`, async () => {
    const all = READ.json(await (await app.get('/v1/incidents?limit=1000')).text())
    const read: string[] = []
    for (let path: string | null = `${PATH}&format=${format}`; path !== null; ) {
      const response: Response = await app.get(path)
      assert.equal(response.headers.get('content-type')!.split(';')[0], type)
      read.push(...READ[format](await response.text()))
      path = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1] ?? null
    }
    assert.deepEqual(read, all)
    const accepted = await app.get(PATH, undefined, { accept: `text/html, ${type};q=0.9, */*;q=0.1` })
    assert.equal(accepted.headers.get('content-type')!.split(';')[0], type)
    assert.match(accepted.headers.get('vary')!, /Accept, Accept-Encoding/)
    assert.equal(await accepted.text(), await (await app.get(`${PATH}&format=${format}`)).text())
  })

  test(`${format} has its own ETag, 304 and gzip`, async () => {
    const first = await app.get(`${PATH}&format=${format}`)
    const etag = first.headers.get('etag')!
    const again = await app.get(PATH, undefined, { accept: type, 'if-none-match': etag })
    assert.equal(again.status, 304)
    const other = await app.get(`${PATH}&format=${format === 'csv' ? 'json' : 'csv'}`, undefined, {
      'if-none-match': etag,
    })
    assert.equal(other.status, 200)
    const compressed = await app.app.server.inject({
      url: `${PATH}&format=${format}`,
      headers: { 'accept-encoding': 'gzip', authorization: `Bearer ${(await app.issue()).text}` },
    })
    assert.equal(compressed.headers['content-encoding'], 'gzip')
    assert.equal(gunzipSync(compressed.rawPayload).toString(), await first.text())
  })
}

test('GeoJSON has the paging members of JSON', async () => {
  const json = (await (await app.get(PATH)).json()) as List
  const { has_more, next_cursor, meta } = (await (await app.get(`${PATH}&format=geojson`)).json()) as List
  assert.deepEqual(
    { has_more, next_cursor, meta },
    { has_more: json.has_more, next_cursor: json.next_cursor, meta: json.meta },
  )
})

test('NDJSON has the same documents as JSON, byte for byte', async () => {
  const { data } = (await (await app.get(PATH)).json()) as List
  const lines = data.map((incident) => `${JSON.stringify(incident)}\n`).join('')
  assert.equal(await (await app.get(`${PATH}&format=ndjson`)).text(), lines)
})

test('format overrides Accept, and JSON is the default', async () => {
  const typeOf = async (path: string, accept: string) =>
    (await app.get(path, undefined, { accept })).headers.get('content-type')!.split(';')[0]
  assert.equal(await typeOf(`${PATH}&format=csv`, 'application/pdf'), FORMATS.csv)
  assert.equal(await typeOf(PATH, 'text/html,application/xhtml+xml,*/*;q=0.8'), FORMATS.json)
  assert.equal(await typeOf(PATH, 'application/*'), FORMATS.json)
  assert.equal(await typeOf(PATH, 'text/*'), FORMATS.csv)
  assert.equal(await typeOf(PATH, 'application/json;q=0, application/*'), FORMATS.geojson)
})

test('an unknown format is refused with the list of known ones', async () => {
  const parameter = await problemOf(await app.get('/v1/incidents?format=excel'))
  assert.deepEqual([parameter.status, parameter.errors![0]!.allowed], [400, Object.keys(FORMATS)])
  const near = await problemOf(await app.get('/v1/incidents?format=geojsn'))
  assert.equal((near.errors![0]!.did_you_mean as string[])[0], 'geojson')
  const header = await problemOf(await app.get('/v1/incidents', undefined, { accept: 'application/pdf' }))
  assert.deepEqual(
    [header.status, header.code, header.errors![0]!.allowed],
    [406, 'not_acceptable', Object.values(FORMATS)],
  )
})

test('an empty page is valid in every format', async () => {
  const empty = async (format: string) => (await app.get(`/v1/incidents?state=Lagos&format=${format}`)).text()
  assert.deepEqual((JSON.parse(await empty('geojson')) as { features: [] }).features, [])
  assert.match(await empty('csv'), /^id,type,[a-z_,]+\r\n$/)
  assert.equal(await empty('ndjson'), '')
})
