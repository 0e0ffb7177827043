import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  type Incident,
  IncidentFeed,
  type IncidentField,
  type IncidentQuery,
  ProblemError,
  unwrap,
} from '../../client/src/index.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { anIncident, incidentId } from '../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../support/receivers.ts'

describe('areas', () => {
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
})

describe('watches', () => {
  let app: TestApp
  let endpoint: TestEndpoint
  let feed: IncidentFeed

  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    await app.publish([anIncident(99)])
    endpoint = await startEndpoint()
    feed = new IncidentFeed({ key: (await app.issue()).text, baseUrl: app.url })
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await endpoint[Symbol.asyncDispose]()
  })

  test('a watch is made, tested, changed, listed and deleted, and its messages are verified', async () => {
    const filter = { state: ['Kaduna'], min_confidence: 0.5 }
    const events = ['incident.created', 'incident.retracted'] as const
    const { id, secret } = await feed.watches.create({ name: 'Kaduna', url: endpoint.url, filter, events })
    assert.deepEqual(await Array.fromAsync(feed.watches.list({ limit: 1 }), (watch) => watch.id), [id])
    assert.equal((await feed.watches.test(id)).delivered, true)
    await app.publish([anIncident(1)])
    await until(() => endpoint.messages.length === 2, 'the message')
    await app.publish([anIncident(1, { version: 2, status: 'retracted' })], 'incident.retracted')
    await until(() => endpoint.messages.length === 3, 'the retraction')
    const [tested, created, retracted] = await Promise.all(endpoint.messages.map((each) => unwrap(each, secret)))
    assert.deepEqual([tested?.test, created?.test], [true, undefined])
    assert.ok(created?.event === 'incident.created' && retracted?.event === 'incident.retracted')
    assert.equal(created.incident.summary, anIncident(1).summary)
    assert.equal(retracted.incident.status, 'retracted')

    const statuses = () => Array.fromAsync(feed.deliveries.list(id, { limit: 2 }), ({ status }) => status)
    // Outcomes are recorded in batches, a moment after the answer.
    await until(async () => (await statuses()).join() === 'delivered,delivered,delivered', 'three recorded deliveries')
    const { secret: renewed } = await feed.watches.rotateSecret(id, { revoke: true })
    const deliveries = await Array.fromAsync(feed.deliveries.list(id))
    assert.deepEqual(await Array.fromAsync(feed.deliveries.listAll({ watch: id, limit: 2 })), deliveries)
    const about = deliveries.find(({ event, test: isTest }) => event === 'incident.retracted' && !isTest)!
    assert.equal((await feed.deliveries.get(about.id)).log[0]!.status_code, 204)
    await feed.deliveries.redeliver(about.id)
    await until(() => endpoint.messages.length === 4, 'the repetition')
    assert.equal((await unwrap(endpoint.messages[3]!, [secret, renewed])).id, about.id)
    await assert.rejects(unwrap(endpoint.messages[3]!, secret), { reason: 'wrong_signature' })

    assert.equal((await feed.watches.update(id, { status: 'paused' })).status, 'paused')
    assert.equal((await feed.watches.update(id, { status: 'active' })).status, 'active')
    assert.deepEqual(await feed.watches.retry(id), { pending: 0 })
    assert.equal((await feed.watches.recover(id, { since: '1h' })).failed, 0)
    assert.equal((await feed.watches.preview({ filter, days: 3650 })).matches, 1)
    await feed.watches.delete(id)
    await assert.rejects(feed.watches.get(id), { status: 404 })
  })

  test('a wrong watch says which member is wrong', async () => {
    const filter = { state: ['Kadunna'] }
    await assert.rejects(feed.watches.create({ name: 'Wrong', url: endpoint.url, filter }), {
      code: 'invalid_body',
      errors: [{ pointer: '/filter/state', message: '"Kadunna" is not a state of Nigeria', did_you_mean: ['Kaduna'] }],
    })
  })

  test('a key is issued without a key, renamed, rotated, listed and revoked', async () => {
    const issued = await new IncidentFeed({ baseUrl: app.url }).keys.create({ email: 'sdk@example.org' })
    assert.ok('key' in issued)
    const own = new IncidentFeed({ key: issued.key, baseUrl: app.url })
    assert.equal((await own.keys.update(issued.id, { name: 'mine' })).name, 'mine')
    const rotated = await own.keys.rotate(issued.id)
    assert.equal((await Array.fromAsync(own.keys.list({ limit: 1 }))).length, 2)
    await own.keys.revoke(issued.id)
    await assert.rejects(own.me(), { code: 'revoked_key' })
    assert.ok((await new IncidentFeed({ key: rotated.key, baseUrl: app.url }).me()).account)
  })
})

describe('fields', () => {
  let app: TestApp
  let feed: IncidentFeed

  before(async () => {
    app = await startTestApp()
    await app.publish([anIncident(1), anIncident(2), anIncident(3)])
    feed = new IncidentFeed({ key: (await app.issue()).text, baseUrl: app.url })
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
  })

  /** Compiles only if both types are the same. */
  type Same<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
  type Element<List> = List extends AsyncIterable<infer Each> ? Each : never
  const same = <Check extends true>(check?: Check) => check

  test('chosen members narrow the type of what a list yields, and nothing else is sent', async () => {
    const listed = feed.incidents.list({ fields: ['id', 'summary'], limit: 2 })
    same<Same<Element<typeof listed>, Pick<Incident, 'id' | 'summary'>>>()
    const found = await Array.fromAsync(listed)
    assert.deepEqual(found.map(Object.keys), Array(3).fill(['id', 'summary']))
    // @ts-expect-error: it was not chosen
    assert.equal(found[0]!.severity, undefined)
  })

  test('the id is there even if it was not chosen', async () => {
    const { data, meta } = await feed.incidents.page({ fields: ['type'], limit: 1 })
    same<Same<(typeof data)[number], Pick<Incident, 'type' | 'id'>>>()
    assert.deepEqual(data.map(Object.keys), [['id', 'type']])
    assert.equal(meta.seq, 3)
  })

  test('one member is written without a list, and a body takes it too', async () => {
    const { data } = await feed.incidents.page({ fields: 'severity' })
    same<Same<(typeof data)[number], Pick<Incident, 'severity' | 'id'>>>()
    const route = { line: [[7.3, 10.3], [7.4, 10.6]], buffer_km: 50 } as const // biome-ignore format: a line
    const along = await feed.incidents.page({ fields: 'severity', route })
    assert.deepEqual(along.data, data)
    assert.ok(data.length > 0)
  })

  test('one incident takes them with its options', async () => {
    const one = await feed.incidents.get(incidentId(2), { fields: ['lat', 'lng'], maxRetries: 0 })
    same<Same<typeof one, Pick<Incident, 'lat' | 'lng' | 'id'>>>()
    assert.deepEqual(Object.keys(one), ['id', 'lat', 'lng'])
    const whole = await feed.incidents.get(incidentId(2), { maxRetries: 0 })
    same<Same<typeof whole, Incident>>()
    assert.ok(Object.keys(whole).length > 20)
  })

  test('of members that are only known while the program runs, each may be missing', async () => {
    const chosen: IncidentField[] = ['type']
    const { data } = await feed.incidents.page({ fields: chosen })
    assert.deepEqual(Object.keys(data[0]!), ['id', 'type'])
    const summary: string | undefined = data[0]!.summary
    assert.equal(summary, undefined)
    // @ts-expect-error: it may be missing
    const sure: string = data[0]!.summary
    assert.equal(sure, undefined)
    const [first = 'type'] = chosen as ('type' | 'state')[]
    const either = (await feed.incidents.page({ fields: first })).data[0]!
    // @ts-expect-error: the state may be missing
    assert.equal(either.state, undefined)
  })

  test('without fields, and for a query of unknown content, incidents are whole', async () => {
    const query: IncidentQuery = { state: 'Kaduna' }
    const listed = feed.incidents.list(query)
    same<Same<Element<typeof listed>, Incident>>()
    const { data } = await feed.incidents.page()
    same<Same<(typeof data)[number], Incident>>()
    assert.deepEqual(await Array.fromAsync(listed), data)
  })

  test('a wrong member is refused by the compiler, and by the service with a suggestion', async () => {
    // @ts-expect-error: it is no member
    await assert.rejects(feed.incidents.page({ fields: ['sumary'] }), (error) => {
      assert.deepEqual((error as { suggestions: unknown }).suggestions, ['summary'])
      return true
    })
  })
})

describe('pages', () => {
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
})
