import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp, type TestApp } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'

const PEOPLE = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const LONG = Array.from({ length: 2000 }, (_, number) => number.toString(36)).join(',')

let app: TestApp
before(async () => {
  app = await startTestApp()
  await app.publish([anIncident(1)])
})
after(() => app[Symbol.asyncDispose]())

const LONG_LISTS: Record<string, () => Promise<Response>> = {
  'the map': () => app.get(`/?lga=${LONG}`, null, PEOPLE),
  'an incident’s page': () => app.get(`/incidents/${anIncident(1).id}?lga=${LONG}`, null, PEOPLE),
  'the list': () => app.get(`/v1/incidents?lga=${LONG}`),
  'a feed': () => app.get(`/v1/feeds/incidents.atom?lga=${LONG}`),
  statistics: () => app.get(`/v1/stats?group_by=state&lga=${LONG}`),
  'a tile': () => app.get(`/v1/tiles/0/0/0.mvt?lga=${LONG}`),
  'a stream': () => app.get(`/v1/stream?lga=${LONG}`),
  LGAs: () => app.get(`/v1/places/lgas?state=${LONG}`),
  'a preview': () => app.post('/v1/watches/preview', { filter: { lga: LONG.split(',') } }),
  'a watch': () =>
    app.post('/v1/watches', { name: 'long', url: 'https://example.org/', filter: { lga: LONG.split(',') } }),
}
for (const [where, ask] of Object.entries(LONG_LISTS)) {
  test(`2,000 names in one list are 400 at ${where}, naming the list and the maximum`, async () => {
    const problem = await problemOf(await ask())
    assert.equal(problem.status, 400)
    assert.equal(problem.code, 'too_many_values')
    assert.match(problem.detail, /(lga|state) takes at most 100 values/)
  })
}

test('a wrong name in the address of the map goes on showing the map', async () => {
  const response = await app.get('/?lga=Atlantis', null, PEOPLE)
  assert.equal(response.status, 200)
  assert.match(await response.text(), /“Atlantis” could not be read/)
})

test('a repeated list is the list with commas, on the map’s page too', async () => {
  const { state } = anIncident(1)
  for (const path of [`/v1/incidents?state=${state}&state=Lagos`, `/?span=all&state=${state}&state=Lagos`]) {
    const text = await (await app.get(path)).text()
    assert.ok(text.includes(anIncident(1).id), path)
    assert.doesNotMatch(text, /could not be read/)
  }
})

test('a body with thousands of unknown fields is refused and names 20 of them', async () => {
  const body = Object.fromEntries(Array.from({ length: 900 }, (_, number) => [`f${number}`, 1]))
  const problem = await problemOf(await app.post('/v1/watches/preview', { ...body, filter: {} }))
  assert.equal(problem.status, 422)
  assert.equal(problem.errors?.length, 20)
})

test('an object with more than 1,000 fields is refused before they are looked up', async () => {
  const filter = Object.fromEntries(Array.from({ length: 20_000 }, (_, number) => [`f${number}`, 1]))
  const problem = await problemOf(await app.post('/v1/watches/preview', { filter }))
  assert.equal(problem.status, 422)
  assert.match(problem.detail, /objects of up to 1000 fields/)
})

test('a list with more than 10,000 values is refused before they are compared with a schema', async () => {
  const state = Array.from({ length: 10_001 }, () => [])
  const problem = await problemOf(await app.post('/v1/watches/preview', { filter: { state } }))
  assert.equal(problem.status, 422)
  assert.match(problem.detail, /lists of up to 10000 values/)
})

test('a large valid body is accepted', async () => {
  const ring = Array.from({ length: 999 }, (_, at) => {
    const angle = (2 * Math.PI * at) / 999
    return [7 + Math.cos(angle), 10 + Math.sin(angle)]
  })
  const polygon = { type: 'Polygon', coordinates: [[...ring, ring[0]]] }
  const response = await app.post('/v1/watches/preview', { filter: { polygon }, days: 3650 })
  assert.equal(response.status, 200)
})
