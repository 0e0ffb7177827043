import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { describe, it, test } from 'node:test'
import { EventSource } from 'eventsource'
import { Webhook } from 'standardwebhooks'
import Type from 'typebox'
import { Compile } from 'typebox/compile'
import { SCHEMAS } from '../../src/api/contract/reference.ts'
import type { EventKind, Incident } from '../../src/domain/incident.ts'
import { positionText } from '../../src/event-log/positions.ts'
import { canonicalQuery, indexedFieldsOf, NOT_LIVE, type StreamFilter } from '../../src/filter/filter.ts'
import { parseStreamFilter } from '../../src/filter/live-filters.ts'
import { matches } from '../../src/filter/matches.ts'
import { places } from '../../src/geo/places.ts'
import { problemOf, startTestApp, type TestApp, until } from '../support/app.ts'
import { filter, incidentFrom, incidentParts } from '../support/arbitrary.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import fc from '../support/fast-check.ts'
import { anIncident } from '../support/incident.ts'
import { readListening, readStream, type StreamedChange, type StreamReader } from '../support/readers.ts'
import { startEndpoint } from '../support/receivers.ts'
import { tries } from '../support/tier.ts'

describe('routes', () => {
  const LAGOS = { ...anIncident().location, state_code: 'NG-LA', lga_code: 'NG-LA-IKEJA' }

  async function listen(app: TestApp, query = '', headers: Record<string, string> = {}): Promise<StreamReader> {
    const { text } = await app.issue()
    const reader = await readStream(`${app.url}/v1/stream?${query}`, text, headers)
    assert.equal(reader.response.status, 200)
    return reader
  }

  const eventsOf = ({ changes }: StreamReader) => changes.map(({ seq, event }) => [seq, event])
  const metric = async (app: TestApp, name: string) => {
    const text = await (await fetch(`${app.url}/metrics`)).text()
    return Number(new RegExp(`^incident_feed_streams_${name} (\\d+)$`, 'm').exec(text)![1])
  }

  test('a stream sends confirmations, corrections and retractions as /v1/changes lists them', async () => {
    await using app = await startTestApp()
    await using reader = await listen(app)
    await app.publish([anIncident(1)])
    await app.publish([anIncident(1, { version: 2, summary: 'Line one.\nLine two.' })], 'incident.updated')
    await until(() => reader.changes.length === 2)
    const { data } = (await (await app.get('/v1/changes')).json()) as { data: unknown[] }
    assert.deepEqual(reader.changes, data)
    await app.publish([anIncident(1, { version: 3, status: 'retracted' })], 'incident.retracted')
    await until(() => reader.changes.length === 3)
    assert.deepEqual(eventsOf(reader)[2], [3, 'incident.retracted'])
    assert.equal(reader.changes[2]!.incident, null)
    const validator = Compile(SCHEMAS as Parameters<typeof Compile>[0], Type.Ref('Change'))
    for (const change of reader.changes) assert.ok(validator.Check(change), JSON.stringify(change))
  })

  test('the response is neither buffered nor cached by proxies', async () => {
    await using app = await startTestApp()
    const { text: key } = await app.issue({ kind: 'publishable', scopes: ['read'] })
    await using reader = await readStream(`${app.url}/v1/stream`, key, { 'accept-encoding': 'gzip, br' })
    const { headers } = reader.response
    assert.equal(headers.get('content-type'), 'text/event-stream')
    assert.equal(headers.get('cache-control'), 'no-store')
    assert.equal(headers.get('x-accel-buffering'), 'no')
    assert.equal(headers.get('content-encoding'), null)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.ok(headers.get('x-request-id') && headers.get('ratelimit'))
    const head = await fetch(`${app.url}/v1/stream`, { method: 'HEAD', headers: { authorization: `Bearer ${key}` } })
    assert.deepEqual([head.status, head.headers.get('content-type')], [200, 'text/event-stream'])
  })

  test('a stream sends only matching incidents, also those that stop matching by a correction', async () => {
    await using app = await startTestApp()
    await using kaduna = await listen(app, 'state=kaduna')
    await using lagos = await listen(app, 'state=lagos&type=kidnapping')
    await using everything = await listen(app)
    await app.publish([anIncident(1), anIncident(2, { state: 'Lagos', location: LAGOS }), anIncident(3)])
    await app.publish([anIncident(1, { version: 2, state: 'Lagos', location: LAGOS })], 'incident.updated')
    await app.publish(
      [anIncident(1, { version: 3, state: 'Lagos', location: LAGOS, status: 'retracted' })],
      'incident.retracted',
    )
    await until(() => everything.changes.length === 5 && lagos.changes.length === 3)
    assert.deepEqual(
      eventsOf(kaduna).map(([seq]) => seq),
      [1, 3, 4],
    )
    assert.deepEqual(
      eventsOf(lagos).map(([seq]) => seq),
      [2, 4, 5],
    )
  })

  test('imported incidents reach no stream, live or replayed', async () => {
    await using app = await startTestApp()
    await using reader = await listen(app)
    await app.publish([anIncident(1)], 'incident.imported')
    await app.publish([anIncident(2)])
    await until(() => reader.changes.length === 1)
    assert.deepEqual(eventsOf(reader), [[2, 'incident.created']])
    await using later = await listen(app, 'last_event_id=0')
    await until(() => later.changes.length === 1)
    assert.deepEqual(eventsOf(later), [[2, 'incident.created']])
  })

  test('a client that reconnects gets missed events, then new ones; the header overrides the query', async () => {
    await using app = await startTestApp()
    await app.publish([1, 2, 3, 4].map((number) => anIncident(number)))
    await using reader = await listen(app, 'last_event_id=0', { 'last-event-id': '2' })
    await until(() => reader.changes.length === 2)
    await app.publish([anIncident(5)])
    await until(() => reader.changes.length === 3)
    assert.deepEqual(
      eventsOf(reader).map(([seq]) => seq),
      [3, 4, 5],
    )
  })

  test('the replay of a retracted incident contains only the retraction', async () => {
    await using app = await startTestApp()
    await app.publish([anIncident(1, { summary: 'Names a person.' })])
    await app.publish([anIncident(1, { version: 2, status: 'retracted' })], 'incident.retracted')
    await using reader = await listen(app, 'last_event_id=0&state=kaduna')
    await until(() => reader.changes.length === 2)
    assert.deepEqual(
      reader.changes.map(({ incident }) => incident),
      [null, null],
    )
    assert.doesNotMatch(reader.blocks.join(), /Names a person/)
  })

  test('a position too far back gets a reset event, and continues from the head', async () => {
    await using app = await startTestApp({}, { streams: { maxReplayedEvents: 3 } })
    await app.publish([1, 2, 3, 4].map((number) => anIncident(number)))
    await using reader = await listen(app, 'last_event_id=0')
    await until(() => reader.blocks.length >= 2)
    assert.match(
      reader.blocks[1]!,
      /^id: (4\.[\w-]{11})\nevent: reset\ndata: \{"event":"reset","seq":4,"position":"\1",/,
    )
    await app.publish([anIncident(5)])
    await until(() => reader.changes.length === 1)
    assert.deepEqual(eventsOf(reader), [[5, 'incident.created']])
    await using near = await listen(app, 'last_event_id=2')
    await until(() => near.changes.length === 3)
    assert.doesNotMatch(near.blocks.join(), /reset/)
  })

  test('an invalid stream query is refused with the reason', async () => {
    await using app = await startTestApp()
    await app.publish([anIncident(1)])
    const { text: key } = await app.issue()
    const wrong: [string, string, RegExp][] = [
      ['since=24h', 'since', /is not allowed here: a stream sends only incidents published from now on; leave it out/],
      ['occurred_to=2026-01-01', 'occurred_to', /is not allowed here/],
      ['limit=5', 'limit', /is not allowed here: a stream has no pages, one format and whole incidents; leave it out/],
      ['format=csv', 'format', /one format/],
      ['state=Kadunna', 'state', /is not a state of Nigeria/],
      ['colour=red', 'colour', /is not a parameter here/],
      ['last_event_id=x', 'last_event_id', /must be a position that this service has given/],
      ['last_event_id=2', 'last_event_id', /is beyond the newest change, which is 1/],
    ]
    for (const [query, parameter, message] of wrong) {
      const { code, errors } = await problemOf(await app.get(`/v1/stream?${query}`, key))
      assert.equal(code, 'invalid_parameter')
      assert.deepEqual(
        errors!.map((error) => error.parameter),
        [parameter],
      )
      assert.match(String(errors![0]!.message), message)
    }
    const { errors } = await problemOf(await app.get('/v1/stream', key, { 'last-event-id': '7' }))
    assert.equal(errors![0]!.parameter, 'Last-Event-ID')
    assert.equal((await problemOf(await app.get('/v1/stream', null))).code, 'missing_key')
    assert.equal(await metric(app, 'open'), 0)
  })

  test('streams are limited for each account, for each address of a publishable key, and for the node', async () => {
    await using app = await startTestApp({ STREAMS: '4', STREAMS_PER_ACCOUNT: '2', TRUST_PROXY: 'loopback' })
    const { text: key } = await app.issue()
    const { text: shared } = await app.issue({ kind: 'publishable', scopes: ['read'] })
    const open = (one: string, address: string) =>
      readStream(`${app.url}/v1/stream`, one, { 'x-forwarded-for': address })
    await using leaving = await open(key, '192.0.2.1')
    await using _second = await open(key, '192.0.2.2')
    const { code, status, detail } = await problemOf(await app.get('/v1/stream', key))
    assert.deepEqual([code, status], ['too_many_streams', 429])
    assert.match(detail, /2 open streams of your account on this node, which is the maximum/)
    await using _here = await open(shared, '192.0.2.1')
    await using _there = await open(shared, '192.0.2.2')
    const full = await app.get('/v1/stream')
    assert.equal(full.headers.get('retry-after'), '10')
    assert.equal((await problemOf(full)).code, 'streams_full')
    await leaving[Symbol.asyncDispose]()
    await until(async () => (await metric(app, 'open')) === 3)
    await using again = await open(key, '192.0.2.1')
    assert.equal(again.response.status, 200)
  })

  test('an idle stream gets heartbeats with its position', async () => {
    await using app = await startTestApp({}, { streams: { heartbeatIntervalMs: 30 } })
    await using reader = await listen(app, 'state=lagos')
    await until(() => reader.blocks.length > 0)
    assert.equal(reader.blocks[0], 'retry: 3000\nid: 0')
    await app.publish([anIncident(1)])
    await until(() => reader.blocks.some((block) => /^id: 1\.[\w-]{11}\nevent: heartbeat\n/.test(block)))
    assert.deepEqual(reader.changes, [])
  })

  test('a stream is closed after its maximum duration, with a retry time', async () => {
    let now = Date.now()
    await using app = await startTestApp({}, { clock: () => now, streams: { heartbeatIntervalMs: 30 } })
    await using reader = await listen(app)
    now += 23 * 60_000
    await until(() => reader.blocks.length > 3)
    now += 7 * 60_000
    await reader.ended
    assert.match(reader.blocks.at(-1)!, /^retry: \d{4}$/)
  })

  for (const end of ['revoked', 'expired'] as const) {
    test(`a stream ends soon after its key is ${end}`, async () => {
      let now = Date.now()
      await using app = await startTestApp({}, { clock: () => now, streams: { heartbeatIntervalMs: 30 } })
      const { text, key } = await app.issue({ expiresAt: now + 60_000 })
      await using reader = await readStream(`${app.url}/v1/stream`, text)
      await using other = await listen(app)
      await until(() => reader.blocks.length > 3)
      if (end === 'revoked') await app.store.keys.revoke(key.accountId, key.id, now)
      now += end === 'revoked' ? 2000 : 60_000
      await reader.ended
      await app.publish([anIncident(1)])
      await until(() => other.changes.length === 1)
      assert.deepEqual(reader.changes, [])
    })
  }

  /** A client that sends a request and never reads. */
  async function openDeaf(app: TestApp, query = ''): Promise<Disposable> {
    const { text } = await app.issue()
    const { hostname, port } = new URL(app.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.pause()
    await once(socket, 'connect')
    socket.write(`GET /v1/stream?${query} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${text}\r\n\r\n`)
    return { [Symbol.dispose]: () => socket.destroy() }
  }

  /** More than the network buffers can hold. */
  async function publishMuch(app: TestApp): Promise<void> {
    const summary = 'x'.repeat(200_000)
    for (let number = 0; number < 60; number++) await app.publish([anIncident(number, { summary })])
  }

  test('a client that does not read is disconnected, and delays no other', async () => {
    await using app = await startTestApp()
    using _deaf = await openDeaf(app)
    await using reader = await listen(app)
    await until(async () => (await metric(app, 'open')) === 2)
    const summary = 'x'.repeat(20_000)
    let number = 0
    while ((await metric(app, 'dropped_total')) === 0) {
      await app.publish(Array.from({ length: 20 }, () => anIncident(++number, { summary })))
      await until(() => reader.changes.length === number)
    }
    await until(async () => (await metric(app, 'open')) === 1)
    assert.deepEqual(
      reader.changes.map(({ seq }) => seq),
      Array.from({ length: number }, (_, index) => index + 1),
    )
  })

  test('a client that does not read its replay is disconnected as well', async () => {
    await using app = await startTestApp({}, { streams: { heartbeatIntervalMs: 60 } })
    await publishMuch(app)
    using _deaf = await openDeaf(app, 'last_event_id=0')
    await until(async () => (await metric(app, 'dropped_total')) === 1)
    await until(async () => (await metric(app, 'open')) === 0)
  })

  test('a shutdown does not wait for a client that does not read', async () => {
    const app = await startTestApp()
    await publishMuch(app)
    using _deaf = await openDeaf(app, 'last_event_id=0')
    await until(async () => (await metric(app, 'open')) === 1)
    await app[Symbol.asyncDispose]()
  })

  test('a shutdown closes every stream with a retry time', async () => {
    const app = await startTestApp()
    const readers = await Promise.all(Array.from({ length: 5 }, () => listen(app)))
    await until(() => readers.every(({ blocks }) => blocks.length > 0))
    await app[Symbol.asyncDispose]()
    for (const { ended, blocks } of readers) {
      await ended
      assert.match(blocks.at(-1)!, /^retry: \d{4}$/)
    }
  })

  test('a stream on one node gets events that another node has confirmed', async () => {
    await using database = await testDatabase()
    await using one = await startTestApp({ DATABASE_URL: database.url })
    await using other = await startTestApp({ DATABASE_URL: database.url })
    await using reader = await listen(one, 'state=kaduna')
    await other.publish([anIncident(1), anIncident(2)])
    await until(() => reader.changes.length === 2)
    assert.deepEqual(
      eventsOf(reader).map(([seq]) => seq),
      [1, 2],
    )
  })
})

describe('filters', () => {
  const INCIDENTS = 12
  const SETTINGS = { STREAMS_PER_ACCOUNT: '1000' }
  const OFTEN = { streams: { heartbeatIntervalMs: 60 } }

  /** Generates valid stream filters inside Nigeria. */
  const streamFilters = filter
    .map((streamFilter) => canonicalQuery({ ...streamFilter, ...NOT_LIVE, region: null, route: null }))
    .map((text) => parseStreamFilter(new URLSearchParams(text), [], places))
    .filter((parsed) => 'value' in parsed)
    .map(({ value }) => value)

  /** Generates an event for one of a few incidents: it is published, corrected or retracted. */
  const story = fc.array(fc.tuple(fc.nat(INCIDENTS - 1), fc.option(incidentParts, { freq: 8 })), {
    minLength: 40,
    maxLength: 120,
  })

  interface PublishedEvent {
    readonly seq: number
    readonly before: Incident | null
    readonly after: Incident
  }

  type StoryStep = readonly [number: number, parts: Parameters<typeof incidentFrom>[0] | null]

  async function publishStory(app: TestApp, steps: readonly StoryStep[]): Promise<PublishedEvent[]> {
    const now = new Map<number, Incident>()
    const published: PublishedEvent[] = []
    const publish = async (incident: Incident, event: EventKind) => {
      await app.publish([incident], event)
      return app.archive.head.seq
    }
    for (const [number, parts] of steps) {
      const before = now.get(number) ?? null
      if (before?.status === 'retracted' || (before === null && parts === null)) continue
      const version = (before?.version ?? 0) + 1
      const after: Incident = parts
        ? { ...incidentFrom(parts, number), version }
        : { ...before!, version, status: 'retracted' }
      const event = before === null ? 'incident.created' : parts ? 'incident.updated' : 'incident.retracted'
      published.push({ seq: await publish(after, event), before, after })
      now.set(number, after)
    }
    return published
  }

  /** Reads a stream until its heartbeat shows that it has caught up, and returns its events. */
  async function followStream(
    app: TestApp,
    key: string,
    streamFilter: StreamFilter,
    after: string,
  ): Promise<() => Promise<number[]>> {
    const reader = await readStream(`${app.url}/v1/stream?${canonicalQuery(streamFilter)}${after}`, key)
    assert.equal(reader.response.status, 200)
    return async () => {
      const caughtUp = `id: ${positionText(app.archive.head)}\nevent: heartbeat\n`
      await until(() => reader.blocks.some((block) => block.startsWith(caughtUp)), 'the end of the story')
      await reader[Symbol.asyncDispose]()
      return reader.changes.map(({ seq }) => seq)
    }
  }

  test('live, from memory or from the log: a stream sends exactly the events that match its filter', async () => {
    const tally = { sent: 0, skipped: 0 }
    const isMatch = (streamFilter: StreamFilter, incident: Incident | null) =>
      incident !== null && matches(streamFilter, indexedFieldsOf(incident), 0)
    await fc.assert(
      fc.asyncProperty(fc.array(streamFilters, { minLength: 10, maxLength: 15 }), story, async (filters, steps) => {
        await using database = await testDatabase()
        const settings = { ...SETTINGS, DATABASE_URL: database.url }
        await using app = await startTestApp(settings, OFTEN)
        const { text: key } = await app.issue()
        const live = await Promise.all(filters.map((streamFilter) => followStream(app, key, streamFilter, '')))
        const events = await publishStory(app, steps)
        // This service started after the events, so it reads them from the log.
        await using later = await startTestApp(settings, OFTEN)
        const missed = '&last_event_id=0'
        const fromMemory = await Promise.all(
          filters.map((streamFilter) => followStream(app, key, streamFilter, missed)),
        )
        const fromLog = await Promise.all(filters.map((streamFilter) => followStream(later, key, streamFilter, missed)))
        for (const [index, streamFilter] of filters.entries()) {
          const expected = events.filter(
            ({ before, after }) => isMatch(streamFilter, before) || isMatch(streamFilter, after),
          )
          const seqs = expected.map(({ seq }) => seq)
          tally.sent += seqs.length
          tally.skipped += events.length - seqs.length
          for (const way of [live, fromMemory, fromLog]) assert.deepEqual(await way[index]!(), seqs)
        }
      }),
      // Every run starts two services: shrinking would take longer than reading the first failure.
      { numRuns: tries(4), endOnFailure: true },
    )
    assert.ok(tally.sent > 100 && tally.skipped > 100, JSON.stringify(tally))
  })
})

describe('broken connections', () => {
  const CUTS = 100

  /**
   * A proxy that cuts each connection after a random number of bytes, until it has cut often
   * enough.
   */
  async function cuttingProxy(target: URL): Promise<{ port: number; cuts: () => number } & AsyncDisposable> {
    let cuts = 0
    const sockets = new Set<Socket>()
    const listener = createServer((client) => {
      const server = connect(Number(target.port), target.hostname)
      let left = cuts < CUTS ? Math.floor(Math.random() * 12_000) : Number.POSITIVE_INFINITY
      for (const socket of [client, server]) {
        sockets.add(socket)
        socket.on('error', () => {})
        socket.on('close', () => {
          sockets.delete(socket)
          client.destroy()
          server.destroy()
        })
      }
      client.on('data', (bytes) => server.write(bytes))
      server.on('data', (bytes: Buffer) => {
        const passed = bytes.subarray(0, Math.min(bytes.length, left))
        left -= bytes.length
        client.write(passed)
        if (left >= 0 || client.destroyed) return
        cuts++
        client.resetAndDestroy()
      })
    })
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    return {
      port: (listener.address() as AddressInfo).port,
      cuts: () => cuts,
      async [Symbol.asyncDispose]() {
        for (const socket of sockets) socket.destroy()
        listener.close()
        await once(listener, 'close')
      },
    }
  }

  test(`a client that is cut off ${CUTS} times ends with exactly the changes that /v1/changes lists`, async () => {
    await using app = await startTestApp({ STREAMS_PER_ACCOUNT: '1000' })
    await using line = await cuttingProxy(new URL(app.url))
    const { text: key } = await app.issue()
    /** The events of each connection. */
    const connections: StreamedChange[][] = []
    const source = new EventSource(`http://127.0.0.1:${line.port}/v1/stream?last_event_id=0`, {
      fetch: async (url, init) => {
        const response = await fetch(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } })
        connections.push([])
        // Shortens the retry time that the service requests; a hundred waits would make the test
        // slow.
        const shortRetries = new TransformStream<string, string>({
          transform: (chunk, controller) => controller.enqueue(chunk.replaceAll(/retry: \d+/g, 'retry: 1')),
        })
        const body = response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(shortRetries)
        return {
          body: body.pipeThrough(new TextEncoderStream()),
          url: response.url,
          status: response.status,
          redirected: response.redirected,
          headers: response.headers,
        }
      },
    })
    const addChange = ({ data }: { data: string }) => connections.at(-1)!.push(JSON.parse(data) as StreamedChange)
    for (const event of ['created', 'updated', 'retracted'] as const)
      source.addEventListener(`incident.${event}`, addChange)
    try {
      let number = 0
      while (line.cuts() < CUTS) {
        await app.publish([anIncident(++number), anIncident(++number)])
        await app.publish([anIncident(number, { version: 2, summary: 'Corrected.' })], 'incident.updated')
      }
      await app.publish([anIncident(1, { version: 2, status: 'retracted' })], 'incident.retracted')
      await until(() => connections.at(-1)?.at(-1)?.seq === app.archive.head.seq, 'the last event')
    } finally {
      source.close()
    }
    for (const received of connections)
      for (const [index, { seq }] of received.entries()) if (index > 0) assert.equal(seq, received[index - 1]!.seq + 1)
    const expected: number[] = []
    for (let after = 0, more = true; more; ) {
      const answer = await app.get(`/v1/changes?after=${after}&limit=1000`)
      const page = (await answer.json()) as { data: StreamedChange[]; next_after: number; has_more: boolean }
      expected.push(...page.data.map(({ seq }) => seq))
      after = page.next_after
      more = page.has_more
    }
    assert.deepEqual(
      connections.flat().map(({ seq }) => seq),
      expected,
    )
    assert.ok(
      connections.filter((received) => received.length > 0).length > CUTS / 4,
      'hardly any connection received events',
    )
  })
})

describe('nodes', () => {
  describe('listening with several nodes', () => {
    it('hears on one node what was published, tested and redelivered on the other, and goes on there', async () => {
      await using database = await testDatabase()
      await using endpoint = await startEndpoint()
      const settings = { DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: 'true' }
      await using here = await startTestApp(settings)
      await using there = await startTestApp(settings)
      const key = (await here.issue()).text
      const made = await here.post('/v1/watches', { name: 'Mine', url: endpoint.url }, key)
      const { id, secret } = (await made.json()) as { id: string; secret: string }

      const first = await readListening(`${there.url}/v1/listen?watch=${id}`, key)
      await until(() => first.events().length > 0, 'the first event')
      await here.publish([anIncident(1)])
      await until(() => first.messages().length === 1, 'the message')
      await here.post(`/v1/watches/${id}/test`, '', key)
      await until(() => first.messages().length === 2, 'the test')
      const [{ id: messageId, headers, body }] = first.messages() as [ReturnType<typeof first.messages>[number]]
      new Webhook(secret).verify(body, headers)
      await first[Symbol.asyncDispose]()

      await until(async () => {
        const delivery = (await (await there.get(`/v1/deliveries/${messageId}`, key)).json()) as { status: string }
        return delivery.status === 'delivered'
      }, 'the delivery')
      assert.equal((await there.post(`/v1/deliveries/${messageId}/redeliver`, '', key)).status, 200)
      await there.publish([anIncident(2)])
      await using second = await readListening(`${here.url}/v1/listen?watch=${id}`, key, {
        'last-event-id': first.position(),
      })
      await until(() => second.messages().length === 2, 'what was missed')
      assert.deepEqual(
        new Map(second.messages().map(({ resent, id }) => [resent, id === messageId])),
        new Map([
          [false, false],
          [true, true],
        ]),
      )
    })
  })
})
