import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { Webhook } from 'standardwebhooks'
import type { Incident } from '../../../src/domain/incident.ts'
import { problemOf, startTestApp, type TestApp, until } from '../../support/app.ts'
import { anIncident } from '../../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../../support/receivers.ts'

let app: TestApp
let endpoint: TestEndpoint
let key: string
let offset = 0
let number = 0
before(async () => {
  endpoint = await startEndpoint()
  app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { clock: () => Date.now() + offset })
})
beforeEach(async () => {
  endpoint.messages.length = 0
  endpoint.answer = (response) => response.writeHead(204).end()
  key = (await app.issue()).text
})
/** Deletes the watches, so that the next test receives no message of this one. */
afterEach(async () => {
  const { data } = (await (await app.get('/v1/watches', key)).json()) as { data: Watch[] }
  for (const { id } of data) await app.delete(`/v1/watches/${id}`, key)
})
after(async () => {
  await app[Symbol.asyncDispose]()
  await endpoint[Symbol.asyncDispose]()
})

interface Watch {
  id: string
  secret: string
  status: string
  disabled_reason: string | null
  sequence: number
  [field: string]: unknown
}

async function watch(changes: Record<string, unknown> = {}): Promise<Watch> {
  const body = { name: 'North-west', url: endpoint.url, filter: {}, ...changes }
  const response = await app.post('/v1/watches', body, key)
  assert.equal(response.status, 201, await response.clone().text())
  return (await response.json()) as Watch
}

const read = async (id: string) => (await (await app.get(`/v1/watches/${id}`, key)).json()) as Watch
const deliveriesOf = async (id: string, query = '') =>
  (await (await app.get(`/v1/watches/${id}/deliveries${query}`, key)).json()) as {
    data: {
      id: string
      event: string
      test: boolean
      status: string
      attempts: number
      sequence: number
      next_attempt_at: string | null
    }[]
    has_more: boolean
    next_cursor: string | null
  }

const RETRACTION_FIELDS = ['id', 'type', 'severity', 'state', 'lga', 'status', 'version']

/** Advances the clock to the next attempt of the newest delivery. */
async function waitForNextAttempt(id: string): Promise<void> {
  const [delivery] = (await deliveriesOf(id)).data
  offset = Date.parse(delivery!.next_attempt_at!) - Date.now() + 1
}

function next(changes: Partial<Incident> = {}): Incident {
  number++
  return anIncident(number, { published_at: new Date(Date.now() + offset).toISOString(), ...changes })
}

async function publish(changes: Partial<Incident> = {}): Promise<Incident> {
  const incident = next(changes)
  await app.publish([incident])
  return incident
}

const received = (count: number) => until(() => endpoint.messages.length >= count, `${count} messages`)

describe('a watch', () => {
  it('receives every matching incident, complete and signed, and no other', async () => {
    const { id, secret } = await watch({ filter: { state: ['Kaduna'], min_severity: 'high' } })
    await publish({ severity: 'low' })
    const incident = await publish({ severity: 'high' })
    await publish({ location: { ...anIncident().location, state_code: 'NG-KN', lga_code: null }, state: 'Kano' })
    const last = await publish({ severity: 'critical' })
    await received(2)
    const byIncident = new Map(endpoint.messages.map((message) => [message.json.incident.id, message]))
    assert.deepEqual([...byIncident.keys()].sort(), [incident.id, last.id].sort())
    const message = byIncident.get(incident.id)!
    assert.deepEqual(message.json.incident, incident)
    assert.deepEqual(
      [message.json.event, message.json.watch, message.json.watch_id, message.json.sequence],
      ['incident.created', 'North-west', id, 1],
    )
    assert.equal(message.headers['webhook-id'], message.json.id)
    assert.match(message.headers['user-agent']!, /^incident-feed\//)
    new Webhook(secret).verify(message.body, message.headers as Record<string, string>)
    await until(async () => (await deliveriesOf(id)).data.every(({ status }) => status === 'delivered'))
  })

  it('receives corrections and retractions if it selects them, also when an incident leaves its area', async () => {
    await watch({ filter: { state: 'Kaduna' }, events: ['incident.updated', 'incident.retracted'] })
    const created = await publish()
    const kano = { state: 'Kano', location: { ...created.location, state_code: 'NG-KN', lga_code: null } }
    await app.publish([{ ...created, ...kano, version: 2 }], 'incident.updated')
    // A message carries the newest version: each is awaited, so that each carries its own.
    await received(1)
    await app.publish([{ ...created, ...kano, version: 3 }], 'incident.updated')
    await received(2)
    await app.publish([{ ...created, version: 4 }], 'incident.updated')
    await received(3)
    await app.publish([{ ...created, version: 5, status: 'retracted' }], 'incident.retracted')
    await received(4)
    assert.deepEqual(endpoint.messages.map(({ json }) => [json.event, json.incident.version]).sort(), [
      ['incident.retracted', 5],
      ['incident.updated', 2],
      ['incident.updated', 3],
      ['incident.updated', 4],
    ])
  })

  it('receives neither imported incidents nor older ones', async () => {
    await publish()
    await watch()
    await app.publish([next()], 'incident.imported')
    const incident = await publish()
    await received(1)
    assert.deepEqual(
      endpoint.messages.map(({ json }) => json.incident.id),
      [incident.id],
    )
  })

  it('receives retries with the same id and body until it responds 2xx, and then no more', async () => {
    let failures = 3
    endpoint.answer = (response) => response.writeHead(failures-- > 0 ? 500 : 200).end('try later')
    const { id } = await watch()
    await publish()
    for (let attempt = 1; attempt <= 4; attempt++) {
      await received(attempt)
      const settled = attempt === 4 ? 'delivered' : 'pending'
      await until(async () => {
        const [delivery] = (await deliveriesOf(id)).data
        return delivery?.attempts === attempt && delivery.status === settled
      })
      if (attempt < 4) await waitForNextAttempt(id)
    }
    assert.equal(new Set(endpoint.messages.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal(new Set(endpoint.messages.map(({ body }) => body)).size, 1)
    const [delivery] = (await deliveriesOf(id)).data
    const { log } = (await (await app.get(`/v1/deliveries/${delivery!.id}`, key)).json()) as {
      log: { number: number; outcome: string; status_code: number; answer: string; error: string | null }[]
    }
    assert.deepEqual(
      log.map(({ number: each, outcome, status_code, answer }) => [each, outcome, status_code, answer]),
      [
        [1, 'refused', 500, 'try later'],
        [2, 'refused', 500, 'try later'],
        [3, 'refused', 500, 'try later'],
        [4, 'delivered', 200, 'try later'],
      ],
    )
    assert.equal((await read(id)).failing_since, null)
  })

  it('is tried twelve times, and the delivery can be recovered', async () => {
    endpoint.answer = (response) => response.writeHead(500).end()
    const { id } = await watch()
    await publish()
    for (let attempt = 1; attempt <= 12; attempt++) {
      await received(attempt)
      await until(async () => (await deliveriesOf(id)).data[0]?.attempts === attempt)
      if (attempt < 12) await waitForNextAttempt(id)
    }
    await until(async () => (await deliveriesOf(id)).data[0]?.status === 'failed')
    endpoint.answer = (response) => response.writeHead(200).end()
    const recovered = await app.post(`/v1/watches/${id}/recover`, { since: '30d' }, key)
    assert.deepEqual(await recovered.json(), { pending: 0, failed: 1, missed: 0 })
    await until(async () => (await deliveriesOf(id)).data[0]?.status === 'delivered')
    assert.equal(endpoint.messages.length, 13)
  })

  it('is disabled by 410 with the reason, and recovers missed deliveries once it is resumed', async () => {
    endpoint.answer = (response) => response.writeHead(410).end()
    const { id } = await watch()
    await publish()
    await until(async () => (await read(id)).status === 'disabled')
    assert.match((await read(id)).disabled_reason!, /410/)
    const missed = await publish()
    assert.equal(
      (await problemOf(await app.post(`/v1/watches/${id}/recover`, { since: '1d' }, key))).code,
      'watch_not_active',
    )
    endpoint.answer = (response) => response.writeHead(200).end()
    const resumed = await app.patch(`/v1/watches/${id}`, { status: 'active' }, key, null)
    assert.equal(((await resumed.json()) as Watch).disabled_reason, null)
    const recovered = await app.post(`/v1/watches/${id}/recover`, { since: '1h' }, key)
    // The delivery that was answered 410 stayed pending, and resuming has sent it.
    const { failed, missed: sentNow } = (await recovered.json()) as { failed: number; missed: number }
    assert.deepEqual([failed, sentNow], [0, 1])
    await until(async () => (await deliveriesOf(id)).data.every(({ status }) => status === 'delivered'))
    assert.deepEqual((await deliveriesOf(id)).data.map(({ sequence }) => sequence).sort(), [1, 2])
    assert(endpoint.messages.some(({ json }) => json.incident.id === missed.id))
  })

  it('is disabled after failing for five days', async () => {
    endpoint.answer = (response) => response.writeHead(503).end()
    const { id } = await watch()
    await publish()
    await until(async () => (await read(id)).status === 'failing')
    for (let day = 1; day <= 5; day++) {
      assert.equal((await read(id)).status, 'failing', `after ${day - 1} days`)
      offset += 86_400_000
      const before = endpoint.messages.length
      await publish()
      await received(before + 1)
      if (day < 5) await until(async () => (await deliveriesOf(id)).data[0]?.attempts === 1)
    }
    await until(async () => (await read(id)).status === 'disabled')
    assert.match((await read(id)).disabled_reason!, /five days/)
    assert.ok((await deliveriesOf(id)).data.every(({ status }) => status === 'pending'))
  })

  it('is not disabled by one failure after an old one, and the message arrives', async () => {
    endpoint.answer = (response) => response.writeHead(502).end()
    const { id } = await watch()
    await publish()
    await until(async () => (await read(id)).status === 'failing')
    offset += 6 * 86_400_000
    await publish()
    await until(async () => (await deliveriesOf(id)).data.every(({ attempts }) => attempts > 0))
    await until(async () => (await deliveriesOf(id)).data.some(({ attempts }) => attempts > 1))
    assert.equal((await read(id)).status, 'failing')
    endpoint.answer = (response) => response.writeHead(200).end()
    await waitForNextAttempt(id)
    await until(async () => (await read(id)).status === 'active')
  })

  it('receives nothing for the time it is paused', async () => {
    const { id } = await watch()
    await app.patch(`/v1/watches/${id}`, { status: 'paused' }, key, null)
    await publish()
    await app.patch(`/v1/watches/${id}`, { status: 'active' }, key, null)
    const incident = await publish()
    await received(1)
    assert.deepEqual(
      endpoint.messages.map(({ json }) => [json.incident.id, json.sequence]),
      [[incident.id, 1]],
    )
    await until(async () => (await deliveriesOf(id)).data.every(({ status }) => status === 'delivered'))
    const recovered = await app.post(`/v1/watches/${id}/recover`, { since: '1h' }, key)
    assert.deepEqual(await recovered.json(), { pending: 0, failed: 0, missed: 1 })
    // Waits for the recovered delivery, which would otherwise reach the next test's endpoint.
    await received(2)
  })

  it('can get another name, URL and filter', async () => {
    const { id } = await watch({ filter: { state: 'Lagos' } })
    const patch = { name: 'All of it', filter: { type: ['kidnapping'] }, description: 'For the night shift' }
    const changed = (await (await app.patch(`/v1/watches/${id}`, patch, key, null)).json()) as Watch
    assert.deepEqual(changed.filter, { type: ['kidnapping'] })
    await publish()
    await received(1)
    assert.equal(endpoint.messages[0]?.json.watch, 'All of it')
  })

  it('receives nothing once it is deleted', async () => {
    const { id } = await watch()
    assert.equal((await app.delete(`/v1/watches/${id}`, key)).status, 204)
    assert.equal((await problemOf(await app.get(`/v1/watches/${id}`, key))).code, 'not_found')
    const other = await watch()
    await publish()
    await received(1)
    assert.deepEqual(
      endpoint.messages.map(({ json }) => json.watch_id),
      [other.id],
    )
  })

  it('is visible only to its account', async () => {
    const { id } = await watch()
    const otherKey = (await app.issue()).text
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['GET', '/deliveries'],
    ] as const) {
      const headers = { authorization: `Bearer ${otherKey}` }
      const response = await fetch(`${app.url}/v1/watches/${id}${path}`, { method, headers })
      assert.equal((await problemOf(response)).code, 'not_found', method + path)
    }
  })
})

describe('the secret', () => {
  it('is rotated: both secrets sign for a while, then only the new one', async () => {
    // Uses its own clock, because the verifier rejects signatures that are old by the real clock.
    let later = 0
    await using fresh = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' }, { clock: () => Date.now() + later })
    const made = await fresh.post('/v1/watches', { name: 'Mine', url: endpoint.url, filter: {} })
    const { id, secret } = (await made.json()) as Watch
    const rotated = (await (await fresh.post(`/v1/watches/${id}/rotate-secret`, '')).json()) as Watch
    assert.notEqual(rotated.secret, secret)
    await fresh.publish([anIncident(1)])
    await received(1)
    const [message] = endpoint.messages
    const headers = message!.headers as Record<string, string>
    for (const each of [secret, rotated.secret]) new Webhook(each).verify(message!.body, headers)
    assert.throws(() => new Webhook(secret).verify(`${message!.body} `, headers))
    later = 25 * 3_600_000
    await fresh.publish([anIncident(2)])
    await received(2)
    assert.equal(String(endpoint.messages[1]!.headers['webhook-signature']).split(' ').length, 1)
  })

  it('is shown once', async () => {
    const { id } = await watch()
    assert.equal((await read(id)).secret, undefined)
  })
})

describe('a test message', () => {
  it("is signed, is marked as a test, and returns the endpoint's response", async () => {
    endpoint.answer = (response) => response.writeHead(418).end('I am a teapot')
    const { id, sequence } = await watch()
    const response = await app.post(`/v1/watches/${id}/test`, '', key)
    const body = (await response.json()) as Record<string, unknown>
    assert.deepEqual([body.delivered, body.status_code, body.answer], [false, 418, 'I am a teapot'])
    assert.deepEqual([endpoint.messages[0]?.json.test, endpoint.messages[0]?.json.sequence], [true, 0])
    assert.equal(sequence, 0)
    const [logged] = (await deliveriesOf(id)).data
    assert.deepEqual([logged?.id, logged?.status, logged?.sequence, logged?.test], [body.id, 'failed', 0, true])
    assert.equal(endpoint.messages[0]?.headers['webhook-id'], body.id)
    const again = await app.post(`/v1/deliveries/${logged!.id}/redeliver`, '', key)
    assert.equal((await problemOf(again)).code, 'not_redeliverable')
  })

  for (const event of ['incident.created', 'incident.updated', 'incident.retracted'] as const) {
    it(`can be ${event}`, async () => {
      const { id } = await watch()
      const incident = await publish()
      await received(1)
      await app.post(`/v1/watches/${id}/test`, { event }, key)
      const { json } = endpoint.messages[1]!
      assert.deepEqual([json.event, json.test], [event, true])
      if (event === 'incident.retracted') {
        assert.deepEqual(Object.keys(json.incident), RETRACTION_FIELDS)
        assert.notEqual(json.incident.id, incident.id, 'a real incident is said to be retracted')
      } else assert.equal(json.incident.id, incident.id)
      const [logged] = (await deliveriesOf(id)).data
      assert.deepEqual([logged?.event, logged?.test, logged?.status], [event, true, 'delivered'])
    })
  }
})

describe('a delivery', () => {
  it('can be sent again, and listed by status, page by page', async () => {
    const { id } = await watch()
    for (let index = 0; index < 3; index++) await publish()
    await until(async () => (await deliveriesOf(id, '?status=delivered')).data.length === 3)
    const first = await deliveriesOf(id, '?limit=2')
    assert.equal(first.has_more, true)
    const second = await deliveriesOf(id, `?limit=2&cursor=${first.next_cursor}`)
    assert.deepEqual(
      [...first.data, ...second.data].map(({ sequence }) => sequence),
      [3, 2, 1],
    )
    const again = await app.post(`/v1/deliveries/${second.data[0]!.id}/redeliver`, '', key)
    assert.equal(((await again.json()) as { status: string }).status, 'pending')
    await received(4)
    assert.equal(endpoint.messages[3]?.json.id, second.data[0]!.id)
    assert.equal((await problemOf(await app.get('/v1/deliveries/msg_x', key))).code, 'not_found')
    assert.equal((await problemOf(await app.get(`/v1/watches/${id}/deliveries?cursor=x`, key))).code, 'invalid_cursor')
    assert.equal(
      (await problemOf(await app.get(`/v1/watches/${id}/deliveries?status=x`, key))).code,
      'invalid_parameter',
    )
  })
})

describe('a preview', () => {
  it('counts how often a filter would have matched, and shows examples', async () => {
    const rare = await publish({ type: 'piracy', category: 'maritime' })
    const body = { filter: { type: 'piracy' }, days: 10 }
    const preview = (await (await app.post('/v1/watches/preview', body, key)).json()) as Record<string, unknown>
    assert.deepEqual([preview.days, preview.matches, preview.a_day], [10, 1, 0.1])
    assert.deepEqual(
      (preview.newest as Incident[]).map(({ id }) => id),
      [rare.id],
    )
  })
})

describe('an invalid watch', () => {
  const wrong: [name: string, changes: Record<string, unknown>, pointer: string, message: RegExp][] = [
    ['without a name', { name: '' }, '/name', /fewer than 1/],
    ['named without a letter or digit', { name: '\u200b' }, '/name', /letter or a digit/],
    ['without a URL', { url: undefined }, '/url', /is missing/],
    ['with an invalid URL', { url: 'example.org/hook' }, '/url', /./],
    ['with a file URL', { url: 'file:///etc/passwd' }, '/url', /./],
    ['with a password in its URL', { url: 'https://a:b@example.org/' }, '/url', /./],
    ['with an unknown state in its filter', { filter: { state: 'Kadunna' } }, '/filter/state', /not a state/],
    ['with a time in its filter', { filter: { since: '24h' } }, '/filter/since', /not allowed here/],
    ['with an unknown field in its filter', { filter: { colour: 'red' } }, '/filter/colour', /not a parameter/],
    [
      'for an open polygon',
      { filter: { polygon: { type: 'Polygon', coordinates: [[[7, 9]]] } } },
      '/filter/polygon/coordinates/0',
      /./,
    ],
    ['subscribed to an unknown event', { events: ['incident.deleted'] }, '/events/0', /must be one of/],
    ['subscribed to no event', { events: [] }, '/events', /./],
    ['with an unknown field', { secret: 'whsec_x' }, '/secret', /not a field/],
  ]
  for (const [name, changes, pointer, message] of wrong) {
    it(name, async () => {
      const body = { name: 'A watch', url: endpoint.url, filter: {}, ...changes }
      const { status, errors } = await problemOf(await app.post('/v1/watches', body, key))
      assert.equal(status, 422)
      const error = errors!.find((each) => each.pointer === pointer)
      assert(error, JSON.stringify(errors))
      assert.match(String(error.message), message)
    })
  }

  it("has a name that is taken, or exceeds the account's limit", async () => {
    await using small = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', WATCHES_PER_ACCOUNT: '2' })
    const body = { name: 'One', url: endpoint.url, filter: {} }
    assert.equal((await small.post('/v1/watches', body)).status, 201)
    assert.equal((await problemOf(await small.post('/v1/watches', body))).code, 'name_taken')
    assert.equal((await small.post('/v1/watches', { ...body, name: 'Two' })).status, 201)
    assert.equal(
      (await problemOf(await small.post('/v1/watches', { ...body, name: 'Three' }))).code,
      'too_many_watches',
    )
  })

  it('has an endpoint in a private network, unless the operator allows it', async () => {
    await using strict = await startTestApp()
    for (const url of ['https://127.0.0.1/', 'https://2130706433/', 'https://[::ffff:7f00:1]/', 'https://localhost/']) {
      const { errors } = await problemOf(await strict.post('/v1/watches', { name: 'X', url, filter: {} }))
      assert.equal(errors?.[0]?.pointer, '/url', url)
    }
  })
})
