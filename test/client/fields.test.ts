import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Incident, IncidentFeed, type IncidentField, type IncidentQuery } from '../../client/src/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { anIncident, incidentId } from '../support/incident.ts'

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
