import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { IncidentFeed, unwrap } from '../../client/src/index.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../support/receivers.ts'

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
