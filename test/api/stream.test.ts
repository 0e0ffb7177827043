import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { type ListenedMessage, type ListenReader, readListening, type StreamedChange } from '../support/readers.ts'
import { startEndpoint, type TestEndpoint } from '../support/receivers.ts'

describe('listen', () => {
  const ALL = ['incident.created', 'incident.updated', 'incident.retracted']

  let app: TestApp
  let endpoint: TestEndpoint
  let key: string
  let numbers = 0
  before(async () => {
    app = await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true', STREAMS_PER_ACCOUNT: '4' })
    endpoint = await startEndpoint()
  })
  after(async () => {
    await app[Symbol.asyncDispose]()
    await endpoint[Symbol.asyncDispose]()
  })

  interface Watch {
    id: string
    secret: string
  }

  async function watching(filter: object = {}): Promise<Watch> {
    key = (await app.issue()).text
    const response = await app.post('/v1/watches', { name: 'Mine', url: endpoint.url, events: ALL, filter }, key)
    return (await response.json()) as Watch
  }

  const listening = async (query: string, headers: Record<string, string> = {}) => {
    const reader = await readListening(`${app.url}/v1/listen?${query}`, key, headers)
    await until(() => reader.events().length > 0, 'the first event')
    return reader
  }

  const heard = (reader: ListenReader, count: number) =>
    until(() => reader.messages().length >= count, `${count} messages`)

  function verified({ body, headers }: ListenedMessage, secret: string) {
    return new Webhook(secret).verify(body, headers) as { event: string; incident: { id: string; version: number } }
  }

  const nextIncident = (changes = {}) => ({ ...anIncident(++numbers), ...changes })

  describe('listening to a watch', () => {
    it('brings each message as its endpoint gets it, signed with the secret of the watch', async () => {
      const { id, secret } = await watching()
      await using reader = await listening(`watch=${id}`)
      assert.deepEqual(reader.events()[0]!.data, {
        event: 'listening',
        watch: { id, name: 'Mine', status: 'active', events: ALL },
        events: ALL,
        secret: null,
      })
      const incident = nextIncident()
      await app.publish([incident])
      await app.publish([{ ...incident, version: 2, status: 'retracted' }], 'incident.retracted')
      await heard(reader, 1)
      const retraction = () => reader.messages().find(({ kind }) => kind === 'incident.retracted')
      await until(() => retraction() !== undefined, 'the retraction')
      const received = () => endpoint.messages.find(({ json }) => json.id === retraction()!.id)
      await until(() => received() !== undefined, 'the message at the endpoint')
      assert.equal(retraction()!.body, received()!.body)
      assert.equal(verified(retraction()!, secret).incident.id, incident.id)
      for (const name of ['content-type', 'user-agent', 'webhook-id'])
        assert.equal(retraction()!.headers[name], received()!.headers[name], name)
    })

    it('hears tests, redeliveries and what is recovered', async () => {
      const { id, secret } = await watching()
      const missed = nextIncident()
      await app.patch(`/v1/watches/${id}`, { status: 'paused' }, key, null)
      await app.publish([missed])
      await app.patch(`/v1/watches/${id}`, { status: 'active' }, key, null)
      const incident = nextIncident()
      await app.publish([incident])
      const delivered = () => endpoint.messages.find(({ json }) => json.watch_id === id)
      await until(() => delivered() !== undefined, 'the first message')
      await using reader = await listening(`watch=${id}`)
      assert.equal((await app.post(`/v1/watches/${id}/test`, { event: 'incident.updated' }, key)).status, 200)
      await heard(reader, 1)
      await until(async () => {
        const response = await app.get(`/v1/deliveries/${delivered()!.json.id}`, key)
        return ((await response.json()) as { status: string }).status === 'delivered'
      }, 'its success')
      assert.equal((await app.post(`/v1/deliveries/${delivered()!.json.id}/redeliver`, '', key)).status, 200)
      await heard(reader, 2)
      assert.equal((await app.post(`/v1/watches/${id}/recover`, { since: '1h' }, key)).status, 200)
      await heard(reader, 3)
      const [test, again, recovered] = reader.messages() as [ListenedMessage, ListenedMessage, ListenedMessage]
      assert.deepEqual(
        [test, again, recovered].map((each) => [each.kind, each.test, each.resent]),
        [
          ['incident.updated', true, false],
          ['incident.created', false, true],
          ['incident.created', false, true],
        ],
      )
      assert.equal(test.body, endpoint.messages.find(({ json }) => json.id === test.id)!.body)
      assert.deepEqual([again.id, again.body], [delivered()!.json.id, delivered()!.body])
      assert.equal(verified(recovered, secret).incident.id, missed.id)
    })

    it('goes on where it was after a lost connection, without a gap or a repetition', async () => {
      const { id } = await watching()
      const first = await listening(`watch=${id}`)
      await app.publish([nextIncident()])
      await heard(first, 1)
      const position = first.position()
      await first[Symbol.asyncDispose]()
      const incidents = [nextIncident(), nextIncident()]
      for (const incident of incidents) await app.publish([incident])
      await app.post(`/v1/watches/${id}/test`, '', key)
      await using second = await listening(`watch=${id}`, { 'last-event-id': position })
      await heard(second, 3)
      await app.publish([nextIncident()])
      await heard(second, 4)
      const ids = second.messages().map((each) => (JSON.parse(each.body) as { incident: { id: string } }).incident.id)
      assert.deepEqual(
        ids.slice(0, 2),
        incidents.map((each) => each.id),
      )
      assert.deepEqual(
        second.messages().map(({ test }) => test),
        [false, false, true, false],
      )
      assert.equal(new Set([...first.messages(), ...second.messages()].map((each) => each.id)).size, 5)
    })

    it('ends when the watch is deleted, and does not exist for others', async () => {
      const { id } = await watching()
      await using reader = await listening(`watch=${id}`)
      await app.delete(`/v1/watches/${id}`, key)
      await app.publish([nextIncident()])
      await reader.stream.ended
      assert.equal(reader.events().at(-1)?.event, 'ended')
      const { id: other } = await watching()
      key = (await app.issue()).text
      assert.equal((await problemOf(await app.get(`/v1/listen?watch=${other}`, key))).code, 'not_found')
    })
  })

  describe('listening to a filter', () => {
    it('takes a saved area of the account, and no other', async () => {
      key = (await app.issue()).text
      const circle = { lat: 6.5, lng: 3.4, radius_km: 5 }
      const { id } = (await (await app.post('/v1/areas', { name: 'Port', circle }, key)).json()) as { id: string }
      await using reader = await listening(`area=${id}`)
      const there = nextIncident({ lat: 6.5, lng: 3.4 })
      await app.publish([nextIncident(), there])
      await heard(reader, 1)
      const { secret } = reader.events()[0]!.data as { secret: string }
      assert.deepEqual(
        reader.messages().map((message) => verified(message, secret).incident.id),
        [there.id],
      )
      const other = (await app.issue()).text
      assert.equal((await problemOf(await app.get(`/v1/listen?area=${id}`, other))).code, 'not_found')
    })

    it('brings what matches, signed with a secret that stays the same, under ids that stay the same', async () => {
      key = (await app.issue()).text
      const first = await listening('type=kidnapping&events=incident.created,incident.updated')
      const { secret, watch, events } = first.events()[0]!.data as { secret: string; watch: null; events: string[] }
      assert.deepEqual([watch, events], [null, ['incident.created', 'incident.updated']])
      const position = first.position()
      await app.publish([nextIncident({ type: 'protest', category: 'civil_unrest' })])
      const incident = nextIncident({ type: 'kidnapping' })
      await app.publish([incident])
      await app.publish([{ ...incident, version: 2, type: 'protest' }], 'incident.updated')
      await heard(first, 2)
      await first[Symbol.asyncDispose]()
      await using second = await listening('type=kidnapping&events=incident.created,incident.updated', {
        'last-event-id': position,
      })
      await heard(second, 2)
      assert.equal(second.events()[0]!.data.secret, secret)
      assert.deepEqual(
        second.messages().map((each) => each.id),
        first.messages().map((each) => each.id),
      )
      const [created, updated] = second.messages().map((each) => verified(each, secret))
      assert.deepEqual([created?.event, updated?.event], ['incident.created', 'incident.updated'])
      assert.deepEqual([created?.incident.version, updated?.incident.version], [2, 2])
      const { watch_id, sequence } = JSON.parse(second.messages()[0]!.body) as { watch_id: string; sequence: number }
      assert.deepEqual([watch_id, sequence], [`wat_${'0'.repeat(26)}`, 0])
    })

    it('has another secret for another key', async () => {
      key = (await app.issue()).text
      await using one = await listening('')
      key = (await app.issue()).text
      await using other = await listening('')
      assert.notEqual(one.events()[0]!.data.secret, other.events()[0]!.data.secret)
    })

    it('says where it goes on if the position is not known', async () => {
      key = (await app.issue()).text
      await using reader = await listening('', { 'last-event-id': '999999-0' })
      await until(() => reader.events().length > 1, 'the second event')
      assert.equal(reader.events()[1]?.event, 'reset')
    })

    it("counts as one of the account's streams", async () => {
      key = (await app.issue()).text
      await using _one = await listening('')
      await using _two = await listening('')
      await using _three = await listening('')
      await using _four = await listening('')
      assert.equal((await problemOf(await app.get('/v1/listen', key))).code, 'too_many_streams')
    })

    it('refuses what it does not understand', async () => {
      const { id } = await watching()
      for (const [query, parameter] of [
        ['events=incident.imported', 'events'],
        [`watch=${id}&state=kaduna`, 'state'],
        ['last_event_id=7', 'last_event_id'],
        ['since=24h', 'since'],
      ] as const) {
        const problem = await problemOf(await app.get(`/v1/listen?${query}`, key))
        assert.deepEqual([problem.code, problem.errors?.[0]?.parameter], ['invalid_parameter', parameter], query)
      }
    })
  })
})

describe('documented client', () => {
  type Follow = (url: string, key: string, onChange: (change: StreamedChange) => void, last?: string) => Promise<never>

  /** Reads the function for browsers from docs/guides/streaming.md. */
  async function readDocumentedFunction(): Promise<Follow> {
    const page = await readFile(new URL('../../docs/guides/streaming.md', import.meta.url), 'utf8')
    const code = /```js\n(async function follow[\s\S]*?\n\})\n/.exec(page)![1]!
    return new Function(`return ${code}`)() as Follow
  }

  test('the documented browser function follows the stream, and resumes at its position after the service ends it', async () => {
    const follow = await readDocumentedFunction()
    await using app = await startTestApp({}, { streams: { maxDurationMs: 200, heartbeatIntervalMs: 60 } })
    const { text: key } = await app.issue({ kind: 'publishable' })
    await app.publish([anIncident(1)])
    const seqs: number[] = []
    const followed = follow(
      `${app.url}/v1/stream?state=Kaduna`,
      key,
      ({ seq }) => {
        seqs.push(seq)
        if (seq === 4) throw new Error('enough')
      },
      '0',
    )
    const enough = assert.rejects(followed, /enough/)
    await until(() => seqs.length === 1)
    await until(async () => /^incident_feed_streams_open 0$/m.test(await (await fetch(`${app.url}/metrics`)).text()))
    for (const number of [2, 3, 4]) await app.publish([anIncident(number)])
    await enough
    assert.deepEqual(seqs, [1, 2, 3, 4])
  })

  test('the documented browser function reports the error of an invalid query', async () => {
    const follow = await readDocumentedFunction()
    await using app = await startTestApp()
    const { text: key } = await app.issue({ kind: 'publishable' })
    await assert.rejects(
      follow(`${app.url}/v1/stream?since=24h`, key, () => {}),
      /since is not allowed here/,
    )
  })
})
