import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Incident } from '../../src/domain/incident.ts'
import { problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { startEndpoint, type TestEndpoint } from '../support/receivers.ts'

describe('log', () => {
  const EVENTS = ['incident.created', 'incident.updated', 'incident.retracted']

  interface LoggedDelivery {
    id: string
    watch_id: string
    event: string
    incident_id: string
    test: boolean
    status: string
    seq: number
    last_attempt: { number: number; status_code: number; outcome: string } | null
  }

  interface Details extends LoggedDelivery {
    log: { content_seq: number | null; headers: Record<string, string>; answer: string | null; status_code: number }[]
    bodies: { content_seq: number | null; version: number; redacted: boolean; body: string | null }[]
    next: { content_seq: number; version: number; headers: Record<string, string>; body: string } | null
  }

  let app: TestApp
  let endpoint: TestEndpoint
  let key: string
  let watchIds: string[]
  let numbers = 0
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    endpoint = await startEndpoint()
    key = (await app.issue()).text
    watchIds = await Promise.all(['One', 'Two'].map((name) => watching(name, key)))
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await endpoint[Symbol.asyncDispose]()
  })

  async function testLog(owner: string, query = ''): Promise<boolean[]> {
    const response = await app.get(`/v1/deliveries${query}`, owner)
    return ((await response.json()) as { data: LoggedDelivery[] }).data.map(({ test }) => test)
  }

  describe('a test message of a service without events', () => {
    it('is in the log, and counts by the time at which it was sent', async () => {
      const owner = (await app.issue()).text
      const id = await watching('Early', owner)
      endpoint.answer = (response) => response.writeHead(200).end()
      assert.equal((await app.post(`/v1/watches/${id}/test`, {}, owner)).status, 200)
      for (const query of ['', '?since=1h', '?status=delivered', `?watch=${id}&event=incident.created`])
        assert.deepEqual(await testLog(owner, query), [true], query)
      const soon = new Date(Date.now() + 60_000).toISOString()
      const earlier = new Date(Date.now() - 60_000).toISOString()
      assert.deepEqual(await testLog(owner, `?from=${earlier}&to=${soon}`), [true])
      for (const query of [`?from=${soon}`, `?to=${earlier}`]) assert.deepEqual(await testLog(owner, query), [], query)
    })
  })

  async function watching(name: string, owner: string): Promise<string> {
    const response = await app.post('/v1/watches', { name, url: endpoint.url, events: EVENTS }, owner)
    return ((await response.json()) as { id: string }).id
  }

  async function list(
    path: string,
  ): Promise<{ data: LoggedDelivery[]; has_more: boolean; next_cursor: string | null }> {
    const response = await app.get(path, key)
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as Awaited<ReturnType<typeof list>>
  }

  const details = async (id: string) => (await (await app.get(`/v1/deliveries/${id}`, key)).json()) as Details

  /** Publishes an incident and waits until both watches have been told. */
  async function published(answer = 200, text = 'thanks'): Promise<Incident> {
    const incident = anIncident(++numbers)
    endpoint.answer = (response) => response.writeHead(answer).end(text)
    await app.publish([incident])
    await attempted(incident, 2)
    return incident
  }

  async function attempted({ id }: Incident, count: number): Promise<LoggedDelivery[]> {
    const rows = async () => (await list(`/v1/deliveries?incident=${id}`)).data
    await until(async () => (await rows()).filter(({ last_attempt }) => last_attempt !== null).length === count)
    return rows()
  }

  describe('the log of deliveries', () => {
    it('shows the incident, the last attempt, and the body exactly as the endpoint got it', async () => {
      const incident = await published()
      const [row] = (await list(`/v1/watches/${watchIds[0]}/deliveries?incident=${incident.id}`)).data
      assert.deepEqual(
        [row?.incident_id, row?.status, row?.last_attempt?.status_code, row?.last_attempt?.number],
        [incident.id, 'delivered', 200, 1],
      )
      const received = endpoint.messages.find(({ json }) => json.id === row?.id)!
      const { log, bodies, next } = await details(row!.id)
      assert.equal(log.length, 1)
      assert.equal(log[0]?.answer, 'thanks')
      assert.deepEqual(bodies, [{ content_seq: row?.seq, version: 1, redacted: false, body: received.body }])
      assert.equal(next?.body, received.body)
      for (const [name, value] of Object.entries(log[0]!.headers))
        assert.equal(value, name === 'webhook-signature' ? '***' : received.headers[name], name)
      assert.deepEqual(Object.keys(log[0]!.headers).sort(), [
        'content-type',
        'user-agent',
        'webhook-id',
        'webhook-signature',
        'webhook-timestamp',
      ])
    })

    it('tells which version each attempt carried, and what would be sent now', async () => {
      const incident = await published(500, 'no')
      const corrected = { ...incident, version: 2, summary: 'Corrected since.' }
      await app.publish([corrected], 'incident.updated')
      const rows = await attempted(incident, 4)
      const created = rows.find(({ event, watch_id }) => event === 'incident.created' && watch_id === watchIds[0])!
      const { bodies, next, log } = await details(created.id)
      assert.deepEqual([bodies[0]?.version, JSON.parse(bodies[0]!.body!).incident.summary], [1, incident.summary])
      assert.deepEqual([next?.version, JSON.parse(next!.body).incident.summary], [2, 'Corrected since.'])
      assert.deepEqual([log[0]?.content_seq, log[0]?.status_code, log[0]?.answer], [created.seq, 500, 'no'])
    })

    it('does not repeat what was retracted', async () => {
      const incident = await published()
      await app.publish([{ ...incident, version: 2, status: 'retracted' }], 'incident.retracted')
      const rows = await attempted(incident, 4)
      const created = await details(rows.find(({ event }) => event === 'incident.created')!.id)
      assert.deepEqual([created.bodies.map(({ body }) => body), created.next], [[null], null])
      const retraction = await details(rows.find(({ event }) => event === 'incident.retracted')!.id)
      const received = endpoint.messages.find(({ json }) => json.id === retraction.id)!
      assert.deepEqual([retraction.bodies[0]?.body, retraction.next?.body], [received.body, received.body])
      assert.doesNotMatch(JSON.stringify([created, retraction]), new RegExp(incident.summary))
    })

    it('has the body of a test message too', async () => {
      for (const event of EVENTS) {
        const response = await app.post(`/v1/watches/${watchIds[1]}/test`, { event }, key)
        const { id } = (await response.json()) as { id: string }
        const received = endpoint.messages.find(({ json }) => json.id === id)!
        const { bodies, next, test, incident_id } = await details(id)
        assert.deepEqual([bodies.map(({ body }) => body), next, test], [[received.body], null, true])
        assert.equal(incident_id, received.json.incident.id)
      }
    })

    it('filters by status, event, time and watch, and pages through the whole account', async () => {
      await published()
      const all: LoggedDelivery[] = []
      for (let path: string | null = '/v1/deliveries?limit=3'; path !== null; ) {
        const { data, next_cursor } = await list(path)
        all.push(...data)
        path = next_cursor === null ? null : `/v1/deliveries?limit=3&cursor=${next_cursor}`
      }
      assert.equal(new Set(all.map(({ id }) => id)).size, all.length)
      assert.deepEqual(
        all.map(({ seq }) => seq),
        all.map(({ seq }) => seq).toSorted((one, other) => other - one),
      )
      const expectSame = async (query: string, expected: (each: LoggedDelivery) => boolean) => {
        const { data } = await list(`/v1/deliveries?limit=100&${query}`)
        assert.deepEqual(
          data.map(({ id }) => id),
          all.filter(expected).map(({ id }) => id),
          query,
        )
      }
      await expectSame('', () => true)
      await expectSame('status=pending', ({ status }) => status === 'pending')
      await expectSame('event=incident.updated', ({ event }) => event === 'incident.updated')
      await expectSame(
        'event=incident.created&status=delivered',
        (each) => each.event === 'incident.created' && each.status === 'delivered',
      )
      await expectSame(`watch=${watchIds[1]}`, ({ watch_id }) => watch_id === watchIds[1])
      await expectSame('since=1h', () => true)
      await expectSame('from=2100-01-01', () => false)
      await expectSame('to=2020-01-01', () => false)
      await expectSame(`to=2100-01-01&watch=${watchIds.join(',')}`, () => true)
    })

    it('shows nothing of another account', async () => {
      const incident = await published()
      const stranger = (await app.issue()).text
      const theirs = await watching('Theirs', stranger)
      for (const path of [
        '/v1/deliveries',
        `/v1/deliveries?watch=${watchIds[0]}`,
        `/v1/deliveries?incident=${incident.id}`,
      ]) {
        const response = await app.get(path, stranger)
        assert.deepEqual([response.status, ((await response.json()) as { data: [] }).data], [200, []], path)
      }
      assert.equal((await app.get(`/v1/watches/${theirs}/deliveries`, key)).status, 404)
    })

    it('says what is wrong with a filter', async () => {
      for (const [query, parameter] of [
        ['status=lost', 'status'],
        ['event=incident.imported', 'event'],
        ['incident=wat_1', 'incident'],
        ['watch=inc_1', 'watch'],
        ['from=yesterday', 'from'],
        ['since=1h&to=2026-01-01', 'to'],
      ] as const) {
        const problem = await problemOf(await app.get(`/v1/deliveries?${query}`, key))
        assert.deepEqual([problem.code, problem.errors?.[0]?.parameter], ['invalid_parameter', parameter], query)
      }
      assert.equal((await problemOf(await app.get('/v1/deliveries?cursor=x', key))).code, 'invalid_cursor')
    })
  })
})

describe('redeliver all', () => {
  let app: TestApp
  let endpoint: TestEndpoint
  let key: string
  let numbers = 0
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' })
    endpoint = await startEndpoint()
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await endpoint[Symbol.asyncDispose]()
  })

  /** A watch of a new account that has been told of `count` incidents. */
  async function told(count: number) {
    key = (await app.issue()).text
    const watch = await watching('Mine')
    const incidents = Array.from({ length: count }, () => anIncident(++numbers))
    await app.publish(incidents)
    await until(() => receivedBy(watch).length === count, 'the messages')
    await until(async () => (await delivered()).length === count, 'their record')
    return { watch, incidents }
  }

  async function watching(name: string): Promise<string> {
    const response = await app.post('/v1/watches', { name, url: endpoint.url }, key)
    return ((await response.json()) as { id: string }).id
  }

  const receivedBy = (watch: string) => endpoint.messages.filter(({ json }) => json.watch_id === watch)

  async function delivered(): Promise<object[]> {
    const response = await app.get('/v1/deliveries?status=delivered&limit=100', key)
    return ((await response.json()) as { data: object[] }).data
  }

  async function redelivered(filters: object, owner = key) {
    const response = await app.post('/v1/deliveries/redeliver', filters, owner)
    assert.equal(response.status, 200, await response.clone().text())
    return (await response.json()) as { redelivered: number; skipped: object; has_more: boolean }
  }

  const NONE = { tests: 0, retracted: 0, inactive: 0 }

  describe('sending all again that a filter matches', () => {
    it('sends what matches, under the same ids', async () => {
      const { watch, incidents } = await told(3)
      const first = receivedBy(watch).map(({ json }) => json.id)
      const one = await redelivered({ incident: incidents[1]!.id })
      assert.deepEqual([one.redelivered, one.skipped, one.has_more], [1, NONE, false])
      await until(() => receivedBy(watch).length === 4, 'one message')
      assert.equal(receivedBy(watch)[3]?.json.incident.id, incidents[1]!.id)
      await until(async () => (await delivered()).length === 3, 'its record')
      assert.equal((await redelivered({ watch: [watch], since: '1h', status: 'delivered' })).redelivered, 3)
      await until(() => receivedBy(watch).length === 7, 'three messages')
      assert.deepEqual(new Set(receivedBy(watch).map(({ json }) => json.id)), new Set(first))
      assert.equal((await redelivered({ status: 'failed' })).redelivered, 0)
    })

    it('leaves out tests, what was retracted, and watches that are not active', async () => {
      const { watch, incidents } = await told(2)
      await app.post(`/v1/watches/${watch}/test`, '', key)
      await app.publish([{ ...incidents[0]!, version: 2, status: 'retracted' }], 'incident.retracted')
      const { redelivered: count, skipped } = await redelivered({ event: 'incident.created' })
      assert.deepEqual([count, skipped], [1, { tests: 1, retracted: 1, inactive: 0 }])
      await until(() => receivedBy(watch).length === 4, 'the messages')
      await app.patch(`/v1/watches/${watch}`, { status: 'paused' }, key, null)
      assert.deepEqual((await redelivered({ watch: [watch] })).skipped, { tests: 1, retracted: 0, inactive: 2 })
    })

    it("never touches another account's", async () => {
      const { watch, incidents } = await told(1)
      const stranger = (await app.issue()).text
      for (const filters of [{ watch: [watch] }, { incident: incidents[0]!.id }, { status: 'delivered' }])
        assert.deepEqual([(await redelivered(filters, stranger)).redelivered, receivedBy(watch).length], [0, 1])
    })

    it('says what is wrong, and needs a filter', async () => {
      key = (await app.issue()).text
      for (const [body, pointer] of [
        [{}, ''],
        [{ cursor: '1.' }, ''],
        [{ status: 'lost' }, '/status'],
        [{ since: 'yesterday' }, '/since'],
        [{ incident: 'wat_1' }, '/incident'],
        [{ watch: ['inc_1'] }, '/watch'],
        [{ status: 'failed', everything: true }, '/everything'],
      ] as const) {
        const problem = await problemOf(await app.post('/v1/deliveries/redeliver', body, key))
        assert.deepEqual([problem.status < 500, problem.errors?.[0]?.pointer], [true, pointer], JSON.stringify(body))
      }
    })
  })
})
