import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { type AppliedEvent, Archive } from '../../src/archive/archive.ts'
import { RecentEvents } from '../../src/event-log/follower.ts'
import { EVERYTHING, NOT_LIVE } from '../../src/filter/filter.ts'
import { machine } from '../../src/lib/runtime.ts'
import { type EventLog, type Store, StoreUnavailable } from '../../src/store/store.ts'
import { Streams } from '../../src/streams/streams.ts'
import { until } from '../support/app.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import { anIncident } from '../support/incident.ts'
import { readStream, type StreamReader } from '../support/readers.ts'

const IN_STEP_AT = '2026-11-16T04:00:00.000Z'
/** Without a position while the client is catching up. */
const heartbeat = (position: string | null) =>
  `${position === null ? '' : `id: ${position}\n`}event: heartbeat\ndata: ${JSON.stringify({
    event: 'heartbeat',
    seq: position && Number.parseInt(position, 10),
    position,
    in_step_at: IN_STEP_AT,
  })}`

interface Scene extends AsyncDisposable {
  readonly streams: Streams
  readonly errors: unknown[]
  /** Saves incidents without publishing them. */
  save(count: number): Promise<void>
  /** Applies and publishes all that was saved, from the event `from` on. */
  publish(from?: number): Promise<void>
  listen(after?: number, keyHash?: string): Promise<StreamReader>
}

/**
 * Streams over a store and an archive without a follower: events are published when a test calls
 * `publish`.
 */
async function scene(log: (store: Store) => EventLog = ({ events }) => events): Promise<Scene> {
  const store = await openMemoryStore()
  const archive = await Archive.load(await store.incidents.snapshot())
  const recent = new RecentEvents<AppliedEvent>(archive.head, { events: 100 })
  const errors: unknown[] = []
  const streams = new Streams(
    {
      archive,
      recent,
      log: log(store),
      freshness: { inStepAt: IN_STEP_AT },
      clock: Date.now,
      runtime: machine,
      random: Math.random,
      onError: (error) => errors.push(error),
    },
    { heartbeatIntervalMs: 60 },
  )
  const filter = { ...EVERYTHING, ...NOT_LIVE }
  const server = createServer((request, response) => {
    const query = new URL(request.url!, 'http://localhost').searchParams
    const after = query.get('after')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    streams.addConnection(response, {
      filter,
      filterText: '',
      after: after === null ? null : { seq: Number(after), text: after },
      keyHash: query.get('key')!,
      isKeyValid: () => true,
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  let number = 0
  return {
    streams,
    errors,
    async save(count) {
      const incidents = Array.from({ length: count }, () => anIncident(++number))
      await store.incidents.save(
        incidents.map((incident) => ({ incident, event: 'incident.created' })),
        Date.now(),
      )
    },
    async publish(from = 0) {
      const taken = archive.apply(await store.events.after(archive.head.seq, 10_000))
      recent.addEvents(taken)
      streams.publish(taken.filter(({ seq }) => seq >= from))
    },
    listen: (after, keyHash = '') =>
      readStream(`${url}?key=${keyHash}${after === undefined ? '' : `&after=${after}`}`, ''),
    async [Symbol.asyncDispose]() {
      await streams[Symbol.asyncDispose]()
      server.close()
      await once(server, 'close')
      await store[Symbol.asyncDispose]()
    },
  }
}

const upTo = (last: number, after = 0) => Array.from({ length: last - after }, (_, index) => after + index + 1)
const seqs = ({ changes }: StreamReader) => changes.map(({ seq }) => seq)

test('thousands of events at once disconnect no client that reads, and arrive in order', async () => {
  await using scenery = await scene()
  await using reader = await scenery.listen()
  await scenery.save(3000)
  await scenery.publish()
  await until(() => reader.changes.length === 3000)
  assert.deepEqual(seqs(reader), upTo(3000))
  assert.equal(scenery.streams.dropped, 0)
})

test('a client that joins during publishing, from any position, receives every event once', async () => {
  await using scenery = await scene()
  const joined: [reader: StreamReader, after: number][] = []
  await using first = await scenery.listen(0)
  const join = async () => {
    for (const back of [0, 1, 2, 31, 90, 400, 1000]) {
      const after = first.changes.length - back
      if (after >= 0) joined.push([await scenery.listen(after), after])
    }
  }
  for (const head of [500, 1000, 1500, 2000]) {
    await scenery.save(500)
    const publishing = scenery.publish()
    await join()
    await publishing
    await until(() => first.changes.length === head)
    if (head < 2000) await join()
  }
  await until(() => joined.every(([reader]) => seqs(reader).at(-1) === 2000))
  for (const [reader, after] of joined) {
    assert.deepEqual(seqs(reader), upTo(2000, after))
    await reader[Symbol.asyncDispose]()
  }
})

test('after a gap all clients are asked to reconnect, and then receive the missing events', async () => {
  await using scenery = await scene()
  await using reader = await scenery.listen()
  await scenery.save(5)
  await scenery.publish(3)
  await reader.ended
  assert.deepEqual(reader.changes, [])
  assert.match(reader.blocks.at(-1)!, /^retry: \d{4}$/)
  await using again = await scenery.listen(0)
  await until(() => again.changes.length === 5)
  assert.deepEqual(seqs(again), upTo(5))
})

test('a client that is ahead of this node receives nothing twice and keeps its position', async () => {
  await using scenery = await scene()
  await using reader = await scenery.listen(2)
  await until(() => reader.blocks.includes(heartbeat(null)))
  assert.ok(!reader.blocks.includes(heartbeat('0')))
  await scenery.save(4)
  await scenery.publish()
  await until(() => reader.changes.length === 2)
  assert.deepEqual(seqs(reader), [3, 4])
  await until(() => reader.blocks.includes(heartbeat(reader.changes[1]!.position)))
})

test('only the streams of a revoked key are ended', async () => {
  await using scenery = await scene()
  await using one = await scenery.listen(0, 'one')
  await using same = await scenery.listen(0, 'one')
  await using _other = await scenery.listen(0, 'other')
  scenery.streams.revoke(new Set(['one', 'unknown']))
  await Promise.all([one.ended, same.ended])
  assert.equal(scenery.streams.open, 1)
})

test('while the log cannot be read, only clients that need it are asked to reconnect', async () => {
  let away = true
  await using scenery = await scene(({ events }) => ({
    ...events,
    after: (seq, limit) => (away ? Promise.reject(new StoreUnavailable('away')) : events.after(seq, limit)),
  }))
  await scenery.save(300)
  await scenery.publish()
  await using _near = await scenery.listen(250)
  await using far = await scenery.listen(0)
  await far.ended
  assert.match(far.blocks.at(-1)!, /^retry: \d{4}$/)
  assert.ok(scenery.errors[0] instanceof StoreUnavailable)
  assert.equal(scenery.streams.open, 1)
  away = false
  await using again = await scenery.listen(0)
  await until(() => again.changes.length === 300)
  assert.deepEqual(seqs(again), upTo(300))
})
