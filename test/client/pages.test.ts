import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { IncidentFeed, ProblemError } from '../../client/src/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'

let app: TestApp
let feed: IncidentFeed

before(async () => {
  app = await startTestApp()
  await app.publish(Array.from({ length: 7 }, (_, index) => anIncident(index + 1)))
  feed = new IncidentFeed({ key: (await app.issue()).text, baseUrl: app.url })
})
after(() => app[Symbol.asyncDispose]())

test('a list goes over all pages, each incident once', async () => {
  const ids: string[] = []
  for await (const incident of feed.incidents.list({ limit: 2 })) ids.push(incident.id)
  const all = (await feed.incidents.page({ limit: 1000 })).data.map(({ id }) => id)
  assert.equal(ids.length, 7)
  assert.deepEqual(ids, all)
})

test('a page says where the next one begins', async () => {
  const first = await feed.incidents.page({ limit: 5 })
  const second = await feed.incidents.page({ limit: 5, cursor: first.next_cursor! })
  assert.deepEqual([first.data.length, second.data.length, second.has_more], [5, 2, false])
})

test('a list that is left early asks for no further page', async () => {
  let requests = 0
  const counting = new IncidentFeed({
    key: (await app.issue()).text,
    baseUrl: app.url,
    fetch: (...request) => {
      requests++
      return fetch(...request)
    },
  })
  for await (const _ of counting.incidents.list({ limit: 3 })) break
  assert.equal(requests, 1)
})

test('a polygon is sent as a body, page after page', async () => {
  const { data } = await feed.incidents.page({ limit: 1 })
  const { lat, lng } = data[0]!
  const around = [[lng - 1, lat - 1], [lng + 1, lat - 1], [lng + 1, lat + 1], [lng - 1, lat + 1], [lng - 1, lat - 1]] // biome-ignore format: a ring
  const ids: string[] = []
  const polygon = { type: 'Polygon', coordinates: [around] } as const
  for await (const incident of feed.incidents.list({ polygon, limit: 2 })) ids.push(incident.id)
  assert.equal(new Set(ids).size, ids.length)
  assert.ok(ids.includes(data[0]!.id))
})

test('one incident, its history, and one that is not there', async () => {
  const { data } = await feed.incidents.page({ limit: 1 })
  assert.deepEqual(await feed.incidents.get(data[0]!.id), data[0])
  assert.deepEqual(await feed.incidents.history(data[0]!.id), [])
  await assert.rejects(feed.incidents.get('inc_01jd8z0c5xqvjv8y2kvhr3w1ad'), { name: 'ProblemError', status: 404 })
})

test('a wrong name is thrown with what was meant', async () => {
  await assert.rejects(feed.incidents.page({ state: ['Kadunna'] }), (error) => {
    assert.ok(error instanceof ProblemError)
    assert.deepEqual([error.status, error.code, error.suggestions], [400, 'invalid_parameter', ['Kaduna']])
    assert.equal(error.errors[0]!.parameter, 'state')
    assert.match(error.message, /state: .*; did you mean Kaduna\?/)
    assert.ok(error.requestId)
    return true
  })
})

test('statistics, places, taxonomy, archive and the account are read', async () => {
  const { total } = await feed.stats.get({ group_by: ['state'] })
  assert.equal(total.count, 7)
  assert.equal((await feed.places.states()).length, 37)
  assert.ok((await feed.places.lgas({ state: 'Kaduna' })).every(({ state }) => state === 'Kaduna'))
  assert.equal((await feed.places.locate({ lat: 10.52, lng: 7.44 })).state, 'Kaduna')
  assert.equal((await feed.places.search({ q: 'Chikun LGA' })).data[0]!.state, 'Kaduna')
  assert.ok((await feed.taxonomy()).types.length > 20)
  assert.ok((await feed.archive()).data.length > 0)
  assert.deepEqual((await feed.me()).scopes, ['read', 'watch'])
  assert.deepEqual((await feed.request<{ scopes: string[] }>('GET', '/v1/me')).scopes, ['read', 'watch'])
})
