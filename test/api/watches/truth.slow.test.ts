import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import type { Incident } from '../../../src/domain/incident.ts'
import { problemOf, startTestApp, until } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'
import { type Message, startEndpoint } from '../../support/receivers.ts'

const ALL = ['incident.created', 'incident.updated', 'incident.retracted'] as const

interface Delivery {
  id: string
  event: string
  status: string
  attempts: number
  next_attempt_at: string | null
}

/** An app with a watch at an endpoint, and a clock that tests move. */
async function withWatch(events: readonly string[] = ['incident.created']) {
  const scope = new AsyncDisposableStack()
  const endpoint = scope.use(await startEndpoint())
  let offset = 0
  const app = scope.use(await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { clock: () => Date.now() + offset }))
  const key = (await app.issue()).text
  const made = await app.post('/v1/watches', { name: 'Mine', url: endpoint.url, filter: {}, events }, key)
  const { id, secret } = (await made.json()) as { id: string; secret: string }
  const answer = (status: number) => {
    endpoint.answer = (response) => response.writeHead(status).end()
  }
  const deliveries = async () =>
    ((await (await app.get(`/v1/watches/${id}/deliveries`, key)).json()) as { data: Delivery[] }).data
  const allAre = (status: string, count: number) =>
    until(async () => {
      const found = await deliveries()
      return found.length === count && found.every((each) => each.status === status)
    }, `${count} deliveries that are ${status}`)
  return {
    app,
    key,
    endpoint,
    id,
    secret,
    answer,
    deliveries,
    allAre,
    advance: (ms: number) => {
      offset += ms
    },
    read: async () => (await (await app.get(`/v1/watches/${id}`, key)).json()) as { status: string },
    ask: (action: string, body: unknown = '') => app.post(`/v1/watches/${id}/${action}`, body, key),
    patch: (changes: object) => app.patch(`/v1/watches/${id}`, changes, key, null),
    /** Waits until the first attempt of every delivery has failed. */
    failedOnce: (count: number) =>
      until(async () => {
        const found = await deliveries()
        return found.length === count && found.every(({ attempts, status }) => attempts > 0 && status === 'pending')
      }, 'the failed attempts'),
    [Symbol.asyncDispose]: () => scope.disposeAsync(),
  }
}

const versioned = (incident: Incident, version: number, changes: Partial<Incident> = {}): Incident => ({
  ...incident,
  ...changes,
  version,
})

const kindsOf = (messages: readonly Message[]) => messages.map(({ json }) => [json.event, json.incident.version])

describe('an incident that was retracted before its message arrived', () => {
  it('is not sent by a pending retry; the delivery is cancelled', async () => {
    await using it = await withWatch()
    it.answer(500)
    const incident = anIncident(1)
    await it.app.publish([incident])
    await it.failedOnce(1)
    await it.app.publish([versioned(incident, 2, { status: 'retracted' })], 'incident.retracted')
    it.answer(200)
    it.endpoint.messages.length = 0
    it.advance(60_000)
    await it.allAre('cancelled', 1)
    assert.deepEqual(it.endpoint.messages, [])
    const [delivery] = await it.deliveries()
    const again = await it.app.post(`/v1/deliveries/${delivery!.id}/redeliver`, '', it.key)
    assert.equal((await problemOf(again)).code, 'not_redeliverable')
  })

  it('is not sent by recover, neither a failed delivery nor a missed event', async () => {
    await using it = await withWatch()
    it.answer(500)
    const [failed, missed, kept] = [anIncident(1), anIncident(2), anIncident(3)]
    await it.app.publish([failed])
    for (let attempt = 1; attempt <= 12; attempt++) {
      await until(async () => (await it.deliveries())[0]?.attempts === attempt)
      it.advance(30 * 3_600_000)
    }
    await it.allAre('failed', 1)
    await it.patch({ status: 'paused' })
    await it.app.publish([missed, kept])
    await it.app.publish(
      [failed, missed].map((incident) => versioned(incident, 2, { status: 'retracted' })),
      'incident.retracted',
    )
    it.answer(200)
    it.endpoint.messages.length = 0
    await it.patch({ status: 'active' })
    assert.deepEqual(await (await it.ask('recover', { since: '30d' })).json(), { pending: 0, failed: 1, missed: 1 })
    await until(async () => (await it.deliveries()).every(({ status }) => status !== 'pending'))
    assert.deepEqual((await it.deliveries()).map(({ status }) => status).sort(), ['cancelled', 'delivered'])
    assert.deepEqual(
      it.endpoint.messages.map(({ json }) => json.incident.id),
      [kept.id],
    )
  })

  it('is not sent again by redeliver, and a watch that lists retractions hears of it once', async () => {
    await using it = await withWatch(ALL)
    const incident = anIncident(1)
    await it.app.publish([incident])
    await it.allAre('delivered', 1)
    const [created] = await it.deliveries()
    await it.app.publish([versioned(incident, 2, { status: 'retracted' })], 'incident.retracted')
    await it.allAre('delivered', 2)
    const again = await it.app.post(`/v1/deliveries/${created!.id}/redeliver`, '', it.key)
    assert.equal((await problemOf(again)).code, 'not_redeliverable')
    assert.deepEqual(kindsOf(it.endpoint.messages), [
      ['incident.created', 1],
      ['incident.retracted', 2],
    ])
    const { type, severity, state, lga } = incident
    const retraction = { id: incident.id, type, severity, state, lga, status: 'retracted', version: 2 }
    assert.deepEqual(it.endpoint.messages[1]?.json.incident, retraction)
  })
})

describe('a message that is sent late', () => {
  it('carries the newest version under its own id, event and numbers', async () => {
    // Of the one kind: the fan-out of an update may be late, and then the watch is active again.
    await using it = await withWatch()
    it.answer(500)
    const incident = anIncident(1)
    await it.app.publish([incident])
    await it.failedOnce(1)
    await it.patch({ status: 'paused' })
    await it.app.publish([versioned(incident, 2, { summary: 'Second.' })], 'incident.updated')
    await it.app.publish([versioned(incident, 3, { summary: 'Third.' })], 'incident.updated')
    it.answer(200)
    await it.patch({ status: 'active' })
    await it.allAre('delivered', 1)
    const [first, last] = [it.endpoint.messages[0]!, it.endpoint.messages.at(-1)!]
    assert.deepEqual(kindsOf([first, last]), [
      ['incident.created', 1],
      ['incident.created', 3],
    ])
    const { incident: _, ...before } = first.json
    const { incident: carried, ...after } = last.json
    assert.deepEqual(after, before)
    assert.equal(carried.summary, 'Third.')
  })
})

describe('a paused watch', () => {
  it('keeps its pending deliveries, and resuming sends them', async () => {
    await using it = await withWatch()
    it.answer(500)
    await it.app.publish([anIncident(1), anIncident(2)])
    await it.failedOnce(2)
    await it.patch({ status: 'paused' })
    it.answer(200)
    it.endpoint.messages.length = 0
    it.advance(24 * 3_600_000)
    await until(async () => (await it.deliveries()).every(({ next_attempt_at }) => next_attempt_at === null))
    assert.deepEqual(
      (await it.deliveries()).map(({ status }) => status),
      ['pending', 'pending'],
    )
    assert.deepEqual(it.endpoint.messages, [])
    assert.equal((await problemOf(await it.ask('retry'))).code, 'watch_not_active')
    await it.patch({ status: 'active' })
    await it.allAre('delivered', 2)
  })
})

describe('retrying', () => {
  it('sends every pending delivery at once', async () => {
    await using it = await withWatch()
    it.answer(500)
    await it.app.publish([anIncident(1), anIncident(2)])
    await it.failedOnce(2)
    it.answer(200)
    const retried = await it.ask('retry')
    assert.deepEqual([retried.status, await retried.json()], [200, { pending: 2 }])
    await it.allAre('delivered', 2)
  })
})

describe('an answer 410', () => {
  it('of an address that was changed meanwhile disables nothing, and the message arrives', async () => {
    await using it = await withWatch()
    await using mended = await startEndpoint()
    const held = Promise.withResolvers<void>()
    it.endpoint.answer = (response) => void held.promise.then(() => response.writeHead(410).end())
    await it.app.publish([anIncident(1)])
    await until(() => it.endpoint.messages.length === 1)
    await it.patch({ url: mended.url })
    held.resolve()
    await it.failedOnce(1)
    assert.equal((await it.read()).status, 'active')
    await it.ask('retry')
    await it.allAre('delivered', 1)
    assert.equal(mended.messages[0]?.json.id, it.endpoint.messages[0]?.json.id)
  })
})

describe('replaced secrets', () => {
  it('all sign for 24 hours, verified by two libraries, until they are revoked', async () => {
    await using it = await withWatch()
    const secrets = [it.secret]
    for (let rotation = 0; rotation < 3; rotation++)
      secrets.unshift(((await (await it.ask('rotate-secret')).json()) as { secret: string }).secret)
    await it.app.publish([anIncident(1)])
    await it.allAre('delivered', 1)
    await it.ask('test')
    for (const { body, headers } of it.endpoint.messages) {
      for (const secret of secrets) {
        new Webhook(secret).verify(body, headers as Record<string, string>)
        new SvixWebhook(secret).verify(body, headers as Record<string, string>)
        assert.throws(() => new SvixWebhook(secret).verify(`${body} `, headers as Record<string, string>))
      }
    }
    const revoked = (await (await it.ask('rotate-secret', { revoke: true })).json()) as { secret: string }
    await it.app.publish([anIncident(2)])
    await it.allAre('delivered', 3)
    const { body, headers } = it.endpoint.messages.at(-1)!
    new Webhook(revoked.secret).verify(body, headers as Record<string, string>)
    for (const secret of secrets)
      assert.throws(() => new Webhook(secret).verify(body, headers as Record<string, string>))
  })

  it('are at most ten, and none is dropped early for a new one', async () => {
    await using it = await withWatch()
    for (let rotation = 1; rotation < 10; rotation++) assert.equal((await it.ask('rotate-secret')).status, 200)
    assert.equal((await problemOf(await it.ask('rotate-secret'))).code, 'too_many_secrets')
    it.advance(25 * 3_600_000)
    assert.equal((await it.ask('rotate-secret')).status, 200)
  })
})
