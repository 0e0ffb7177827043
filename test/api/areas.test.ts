import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../support/receivers.ts'

const CIRCLE = { lat: 10, lng: 7.4, radius_km: 30 }
const POLYGON = {
  type: 'Polygon',
  coordinates: [
    [
      [8, 9.5],
      [9, 9.5],
      [9, 10.5],
      [8, 10.5],
      [8, 9.5],
    ],
  ],
}
const ROUTE = {
  line: [
    [7.49, 9.06],
    [7.44, 10.52],
  ],
  buffer_km: 10,
}
let app: TestApp
let endpoint: TestEndpoint
let key: string
let other: string
let publishable: string

interface Area {
  id: string
  name: string
  kind: string
  watches: number
  [member: string]: unknown
}

before(async () => {
  endpoint = await startEndpoint()
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', AREAS_PER_ACCOUNT: '20' })
  const own = await app.issue()
  key = own.text
  other = (await app.issue()).text
  publishable = ((await (await app.post('/v1/keys', { kind: 'publishable' }, key)).json()) as { key: string }).key
  const at = (lat: number, lng: number) => ({ lat, lng })
  await app.publish([anIncident(1, at(10, 7.4)), anIncident(2, at(10, 8.4)), anIncident(3, at(6.5, 3.4))])
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await endpoint[Symbol.asyncDispose]()
})

async function save(body: Record<string, unknown>): Promise<Area> {
  const response = await app.post('/v1/areas', body, key)
  assert.equal(response.status, 201, await response.clone().text())
  return (await response.json()) as Area
}
const ids = (...numbers: number[]) => numbers.map((number) => anIncident(number).id)
const listed = async (query: string, by = key) =>
  ((await (await app.get(`/v1/incidents?${query}`, by)).json()) as { data: { id: string }[] }).data.map(({ id }) => id)

test('an area is saved, read, listed, renamed and deleted', async () => {
  const area = await save({ name: ' The  depot ', circle: CIRCLE })
  assert.deepEqual([area.name, area.kind, area.circle, area.watches], ['The depot', 'circle', CIRCLE, 0])
  assert.match(area.id, /^are_/)
  assert.deepEqual(await (await app.get(`/v1/areas/${area.id}`, key)).json(), area)
  const page = (await (await app.get('/v1/areas?limit=1', key)).json()) as { data: Area[]; has_more: boolean }
  assert.deepEqual(page.data, [area])
  const changed = (await (await app.patch(`/v1/areas/${area.id}`, { route: ROUTE }, key, null)).json()) as Area
  assert.deepEqual([changed.kind, changed.name, 'circle' in changed], ['route', 'The depot', false])
  assert.equal(
    (await problemOf(await app.post('/v1/areas', { name: 'The depot', circle: CIRCLE }, key))).code,
    'name_taken',
  )
  assert.equal((await app.delete(`/v1/areas/${area.id}`, key)).status, 204)
  assert.equal((await app.get(`/v1/areas/${area.id}`, key)).status, 404)
})

test('a wrong shape is refused by its pointer, and nothing is saved', async () => {
  const cases: [Record<string, unknown>, string][] = [
    [{ name: 'None' }, ''],
    [{ name: 'Two', circle: CIRCLE, route: ROUTE }, ''],
    [{ name: 'Far', circle: { lat: 10, lng: 7, radius_km: 501 } }, '/circle/radius_km'],
    [{ name: 'Open', polygon: { type: 'Polygon', coordinates: [[[7, 10]]] } }, '/polygon/coordinates/0'],
    [{ name: 'Swapped', route: { line: [[9, 70]], buffer_km: 5 } }, '/route/line'],
    [{ name: ' ', circle: CIRCLE }, '/name'],
  ]
  for (const [body, pointer] of cases) {
    const { status, errors } = await problemOf(await app.post('/v1/areas', body, key))
    assert.equal(status, 422)
    assert.equal(errors![0]!.pointer, pointer, JSON.stringify(body))
  }
  assert.deepEqual(((await (await app.get('/v1/areas', key)).json()) as { data: [] }).data, [])
})

test('an area selects in lists, statistics, tiles, previews and JSON queries', async () => {
  const area = await save({ name: 'East', polygon: POLYGON })
  assert.deepEqual(await listed(`area=${area.id}`), ids(2))
  assert.deepEqual(await listed(`%61rea=${area.id}&bbox=2,4,15,14`), ids(2))
  assert.deepEqual(await listed(`area=${area.id}&bbox=2,4,8,14`), [])
  const inJson = await app.post('/v1/incidents/query', { area: area.id }, key)
  assert.deepEqual(((await inJson.json()) as { data: { id: string }[] }).data[0]!.id, anIncident(2).id)
  const total = async (response: Response) => ((await response.json()) as { total: { count: number } }).total.count
  assert.equal(await total(await app.get(`/v1/stats?group_by=state&area=${area.id}`, key)), 1)
  assert.equal(await total(await app.post('/v1/stats/query', { group_by: 'state', area: area.id }, key)), 1)
  const tile = await app.get(`/v1/tiles/0/0/0.mvt?area=${area.id}`, key)
  assert.ok(Buffer.from(await tile.arrayBuffer()).includes(anIncident(2).id))
  const preview = await app.post('/v1/watches/preview', { filter: { area: area.id }, days: 365 }, key)
  assert.equal(preview.status, 200)
  await app.patch(`/v1/areas/${area.id}`, { circle: CIRCLE }, key, null)
  assert.deepEqual(await listed(`area=${area.id}`), ids(1))
  await app.delete(`/v1/areas/${area.id}`, key)
  assert.equal((await app.get(`/v1/incidents?area=${area.id}`, key)).status, 404)
})

test('a cursor ends when its area is redrawn', async () => {
  const area = await save({ name: 'All', polygon: { ...POLYGON, coordinates: [BIG_RING] } })
  const response = await app.get(`/v1/incidents?area=${area.id}&limit=1`, key)
  const { next_cursor } = (await response.json()) as { next_cursor: string }
  assert.deepEqual(await listed(`area=${area.id}&limit=1&cursor=${next_cursor}`), ids(2))
  await app.patch(`/v1/areas/${area.id}`, { circle: CIRCLE }, key, null)
  const { code } = await problemOf(await app.get(`/v1/incidents?area=${area.id}&limit=1&cursor=${next_cursor}`, key))
  assert.equal(code, 'cursor_of_another_query')
})
const BIG_RING = [
  [2, 4],
  [15, 4],
  [15, 14],
  [2, 14],
  [2, 4],
]

test("another account's area cannot be seen or used: 404; a publishable key: 403", async () => {
  const area = await save({ name: 'Secret', circle: CIRCLE })
  const filter = { area: area.id }
  const attempts = (by: string) => [
    app.get(`/v1/incidents?area=${area.id}`, by),
    app.get(`/v1/stats?group_by=state&area=${area.id}`, by),
    app.get(`/v1/tiles/0/0/0.mvt?area=${area.id}`, by),
    app.get(`/v1/stream?area=${area.id}`, by),
    app.post('/v1/incidents/query', filter, by),
    app.post('/v1/stats/query', { ...filter, group_by: 'state' }, by),
    app.post('/v1/watches', { name: 'Mine', url: endpoint.url, filter }, by),
    app.post('/v1/watches/preview', { filter, days: 1 }, by),
    app.get(`/v1/areas/${area.id}`, by),
    app.patch(`/v1/areas/${area.id}`, { name: 'Mine' }, by, null),
    app.delete(`/v1/areas/${area.id}`, by),
  ]
  for (const response of await Promise.all(attempts(other))) assert.equal((await problemOf(response)).status, 404)
  for (const response of await Promise.all(attempts(publishable))) assert.equal((await problemOf(response)).status, 403)
  // The cache of lists must not answer one account with what another has asked for.
  assert.deepEqual(await listed(`area=${area.id}`), ids(1))
  assert.equal((await app.get(`/v1/incidents?area=${area.id}`, other)).status, 404)
  const page = await (await app.get(`/?area=${area.id}`, null, { accept: 'text/html' })).text()
  assert.match(page, /<html/)
  assert.equal((await app.get(`/v1/feeds/incidents.atom?area=${area.id}`, key)).status, 400)
})

test('an area is not combined with another shape, and not repeated', async () => {
  const area = await save({ name: 'Alone', circle: CIRCLE })
  for (const query of [`area=${area.id}&near=10,7&radius_km=5`, `area=${area.id}&area=${area.id}`, 'area=']) {
    const { errors, code } = await problemOf(await app.get(`/v1/incidents?${query}`, key))
    assert.deepEqual([code, errors![0]!.parameter], ['invalid_parameter', 'area'], query)
  }
  for (const body of [{ route: ROUTE }, { polygon: POLYGON }, { near: [10, 7], radius_km: 5 }]) {
    const { errors } = await problemOf(await app.post('/v1/incidents/query', { area: area.id, ...body }, key))
    assert.equal(errors![0]!.pointer, '/area')
  }
  assert.equal((await app.get('/v1/incidents?area=nonsense', key)).status, 404)
})

test('a watch follows its area: it matches by the new shape from then on, and keeps the area from deletion', async () => {
  const area = await save({ name: 'Watched', circle: CIRCLE })
  const made = await app.post('/v1/watches', { name: 'In area', url: endpoint.url, filter: { area: area.id } }, key)
  assert.equal(made.status, 201, await made.clone().text())
  const watch = (await made.json()) as { id: string; filter: unknown }
  assert.deepEqual(watch.filter, { area: area.id })
  assert.equal(((await (await app.get(`/v1/areas/${area.id}`, key)).json()) as Area).watches, 1)
  const { code, detail } = await problemOf(await app.delete(`/v1/areas/${area.id}`, key))
  assert.equal(code, 'area_in_use')
  assert.ok(detail.includes('"In area"') && detail.includes(watch.id), detail)
  const now = new Date().toISOString()
  const arrive = (number: number, lat: number, lng: number) =>
    app.publish([anIncident(number, { lat, lng, published_at: now, confirmed_at: now })])
  const received = () =>
    endpoint.messages.map(({ body }) => (JSON.parse(String(body)) as { incident: { id: string } }).incident.id)
  await arrive(20, 10.1, 7.4)
  await arrive(21, 10, 8.4)
  await until(() => received().length === 1)
  await app.patch(`/v1/areas/${area.id}`, { polygon: POLYGON }, key, null)
  await arrive(22, 10.1, 7.4)
  await arrive(23, 10, 8.4)
  await until(() => received().length === 2)
  assert.deepEqual(received(), ids(20, 23))
  await app.delete(`/v1/watches/${watch.id}`, key)
  assert.equal((await app.delete(`/v1/areas/${area.id}`, key)).status, 204)
})

test('a repeated POST with the same Idempotency-Key saves one area; the number is bounded', async () => {
  const body = { name: 'Once', circle: CIRCLE }
  const first = await app.post('/v1/areas', body, key, { 'idempotency-key': 'one' })
  const second = await app.post('/v1/areas', body, key, { 'idempotency-key': 'one' })
  assert.deepEqual([first.status, await first.json()], [second.status, await second.json()])
  let response = first
  for (let number = 0; number <= 20; number++)
    response = await app.post('/v1/areas', { name: `Area ${number}`, circle: CIRCLE }, key)
  assert.equal((await problemOf(response)).code, 'too_many_areas')
})
