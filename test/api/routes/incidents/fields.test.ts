import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp, type TestApp } from '../../../support/app.ts'
import { anIncident } from '../../../support/incident.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
  await app.publish([1, 2, 3].map((number) => anIncident(number)))
})
after(() => app[Symbol.asyncDispose]())

const NEWEST = anIncident(3)
const text = async (query: string) => {
  const response = await app.get(`/v1/incidents?${query}`)
  assert.equal(response.status, 200, await response.clone().text())
  return response.text()
}

test('a list has the chosen members in the order of the wire, and always the id', async () => {
  const { data, has_more, next_cursor, meta } = JSON.parse(await text('fields=severity,type&limit=2'))
  assert.deepEqual(data[0], { id: NEWEST.id, type: NEWEST.type, severity: NEWEST.severity })
  assert.deepEqual(Object.keys(data[0]), ['id', 'type', 'severity'])
  assert.ok(has_more && meta.seq > 0)
  // The cursor is bound to the filter, not to the members.
  const rest = JSON.parse(await text(`limit=2&cursor=${next_cursor}&fields=id&fields=location`))
  assert.deepEqual(rest.data, [{ id: anIncident(1).id, location: anIncident(1).location }])
  assert.deepEqual(JSON.parse(await text('fields=id&limit=1')).data, [{ id: NEWEST.id }])
})

test('all members are the list as it is; each choice has its own ETag', async () => {
  const etag = async (query: string) => (await app.get(`/v1/incidents?${query}`)).headers.get('etag')
  const { data } = JSON.parse(await text('limit=1'))
  const everything = [...Object.keys(data[0]), 'occurred_until', 'casualties_reported', 'dataset', 'attribution'].join()
  assert.equal(await etag(`limit=1&fields=${everything}`), await etag('limit=1'))
  assert.notEqual(await etag('limit=1&fields=type'), await etag('limit=1'))
  assert.notEqual(await etag('limit=1&fields=type'), await etag('limit=1&fields=state'))
  assert.equal(await etag('limit=1&fields=type,id'), await etag('limit=1&fields=type'))
})

test('NDJSON, CSV and GeoJSON have what the members become', async () => {
  const query = 'limit=1&fields=location,casualties,confidence_reasons'
  const { location, casualties } = NEWEST
  const line = await text(`${query}&format=ndjson`)
  assert.deepEqual(Object.keys(JSON.parse(line)), ['id', 'location', 'confidence_reasons', 'casualties'])
  const [header, record] = (await text(`${query}&format=csv`)).split('\r\n')
  const columns = 'id,place,precision,radius_km,state_code,lga_code,lga_basis,killed,injured,abducted'
  assert.equal(header, columns)
  assert.equal(record!.split(',').length, columns.split(',').length)
  const [feature] = JSON.parse(await text(`${query}&format=geojson`)).features
  assert.deepEqual(feature.geometry.coordinates, [NEWEST.lng, NEWEST.lat])
  assert.deepEqual(feature.properties, { id: NEWEST.id, ...location, ...casualties })
})

test('a query as JSON and a single incident take fields too', async () => {
  const response = await app.post('/v1/incidents/query', { fields: ['summary'], limit: 1 })
  assert.deepEqual(((await response.json()) as { data: unknown }).data, [{ id: NEWEST.id, summary: NEWEST.summary }])
  const one = await app.get(`/v1/incidents/${NEWEST.id}?fields=lat,lng`)
  assert.deepEqual(await one.json(), { id: NEWEST.id, lat: NEWEST.lat, lng: NEWEST.lng })
  assert.deepEqual(await (await app.get(`/v1/incidents/${NEWEST.id}`)).json(), NEWEST)
  assert.equal((await app.get(`/v1/incidents/${NEWEST.id}?state=Kaduna`)).status, 400)
})

test('wrong names are 400 with suggestions, and bounded', async () => {
  for (const path of ['/v1/incidents?', `/v1/incidents/${NEWEST.id}?`]) {
    const { code, errors } = await problemOf(await app.get(`${path}fields=sumary,type`))
    assert.equal(code, 'invalid_parameter')
    assert.deepEqual(errors![0]!.did_you_mean, ['summary'])
    const empty = await problemOf(await app.get(`${path}fields=`))
    assert.equal(empty.errors![0]!.parameter, 'fields')
  }
  const { errors } = await problemOf(await app.post('/v1/incidents/query', { fields: ['merged_into'] }))
  assert.equal(errors![0]!.pointer, '/fields')
  const wrong = Array.from({ length: 99 }, (_, number) => `wrong${number}`)
  assert.equal((await problemOf(await app.get(`/v1/incidents?fields=${wrong}`))).errors!.length, 5)
  const many = await problemOf(await app.get(`/v1/incidents?fields=${wrong},a,b,c`))
  assert.equal(many.code, 'too_many_values')
  assert.equal((await app.get('/v1/stream?fields=type')).status, 400)
})
