import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { IncidentFeed } from '../../client/src/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { anIncident, incidentId } from '../support/incident.ts'

const HERE = { lat: 10, lng: 7.4 }
const circle = { ...HERE, radius_km: 30 }
let app: TestApp
let feed: IncidentFeed

before(async () => {
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  await app.publish([anIncident(1, HERE), anIncident(2, { lat: 6.5, lng: 3.4 })])
  feed = new IncidentFeed({ key: (await app.issue()).text, baseUrl: app.url })
})
after(async () => {
  await app[Symbol.asyncDispose]()
})

test('an area is saved, listed, read, changed and deleted', async () => {
  const depot = await feed.areas.create({ name: 'Depot', circle })
  assert.deepEqual([depot.kind, depot.circle, depot.watches], ['circle', circle, 0])
  const other = await feed.areas.create({ name: 'Port', circle: { lat: 6.5, lng: 3.4, radius_km: 5 } })
  assert.deepEqual(await Array.fromAsync(feed.areas.list({ limit: 1 }), ({ name }) => name), ['Port', 'Depot'])
  const page = await feed.areas.page({ limit: 1 })
  assert.deepEqual([page.data, page.has_more], [[other], true])
  assert.deepEqual(await feed.areas.get(depot.id), depot)
  const changed = await feed.areas.update(depot.id, { name: 'Yard', circle: { ...circle, radius_km: 40 } })
  assert.deepEqual([changed.name, changed.circle?.radius_km], ['Yard', 40])
  await feed.areas.delete(depot.id)
  await assert.rejects(feed.areas.get(depot.id), { status: 404 })
  await feed.areas.delete(other.id)
})

test('an area is a filter of lists, statistics, streams and watches', async () => {
  const { id: area } = await feed.areas.create({ name: 'Filter', circle })
  const ids = await Array.fromAsync(feed.incidents.list({ area }), ({ id }) => id)
  assert.deepEqual(ids, [incidentId(1)])
  assert.equal((await feed.stats.get({ area, group_by: ['state'] })).total.count, 1)
  for await (const change of feed.stream({ area }, { after: 0 })) {
    assert.equal(change.incident_id, incidentId(1))
    break
  }
  const watch = await feed.watches.create({ name: 'Area', url: 'https://127.0.0.1:9999/', filter: { area } })
  await assert.rejects(feed.areas.delete(area), { code: 'area_in_use' })
  await feed.watches.delete(watch.id)
  await feed.areas.delete(area)
  await assert.rejects(feed.incidents.page({ area }), { status: 404, code: 'not_found' })
})

test('a wrong shape says which member is wrong', async () => {
  await assert.rejects(feed.areas.create({ name: 'None' }), { code: 'invalid_body' })
  await assert.rejects(feed.areas.create({ name: 'Far', circle: { lat: 95, lng: 7, radius_km: 5 } }), (error) => {
    assert.match(String((error as Error).message), /lat/)
    return true
  })
})
