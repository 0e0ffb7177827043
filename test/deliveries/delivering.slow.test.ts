import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { SENDER_THREAD_NAME } from '../../src/deliveries/send/sending-thread.ts'
import { machine } from '../../src/lib/runtime.ts'
import { openStore } from '../../src/store/open.ts'
import { proxyTo } from '../store/databases.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { testDatabase } from '../support/databases/postgres.ts'
import { anIncident } from '../support/incident.ts'
import { type Message, startEndpoint, type TestEndpoint } from '../support/receivers.ts'
import { withWatchesAt } from './fixtures.ts'
import { followingTests } from './following.ts'

const PRIVATE = { WEBHOOK_ALLOW_PRIVATE: 'true' }
/**
 * A busy machine takes a second for what an endpoint answers at once. It would count as slow, and
 * slow watches have fewer attempts at a time, and a share of their own beside that of the others.
 */
const NEVER_SLOW = { runtime: { ...machine, elapsed: () => machine.elapsed() / 100 } }

/** Leaves all requests without an answer; the function returned answers them, for a quick stop. */
function hang(endpoint: TestEndpoint): () => void {
  const held: ServerResponse[] = []
  const answer = (response: ServerResponse) => response.writeHead(204).end()
  endpoint.answer = (response) => held.push(response)
  return () => {
    endpoint.answer = answer
    held.forEach(answer)
  }
}

function incidents(count: number, from = 1) {
  return Array.from({ length: count }, (_, index) =>
    anIncident(from + index, { published_at: new Date().toISOString() }),
  )
}

/** Creates a watch that receives every event. */
async function watchAt(app: TestApp, endpoint: TestEndpoint): Promise<{ id: string; key: string }> {
  const key = (await app.issue()).text
  const response = await app.post('/v1/watches', { name: 'A watch', url: endpoint.url, filter: {} }, key)
  assert.equal(response.status, 201)
  return { id: ((await response.json()) as { id: string }).id, key }
}

async function statuses(app: TestApp, { id, key }: { id: string; key: string }): Promise<Record<string, number>> {
  const response = await app.get(`/v1/watches/${id}/deliveries?limit=100`, key)
  const { data } = (await response.json()) as { data: { status: string }[] }
  return Object.fromEntries(
    Object.entries(Object.groupBy(data, ({ status }) => status)).map(([status, those]) => [status, those!.length]),
  )
}

const differentIds = (endpoint: TestEndpoint) => new Set(endpoint.messages.map(({ json }) => json.id)).size

describe('an endpoint that hangs', () => {
  it('delays no other endpoint, even with enough deliveries to fill every slot', async () => {
    await using scope = new AsyncDisposableStack()
    const hanging = scope.use(await startEndpoint())
    const endHanging = hang(hanging)
    const healthy: TestEndpoint[] = []
    for (let index = 0; index < 9; index++) healthy.push(scope.use(await startEndpoint()))
    const settings = { ...PRIVATE, WEBHOOK_CONCURRENCY: '4', WEBHOOK_CONCURRENCY_PER_HOST: '4' }
    const app = scope.use(await startTestApp(settings))
    for (const endpoint of [hanging, ...healthy]) await watchAt(app, endpoint)
    await app.publish(incidents(30))
    await until(() => healthy.every(({ messages }) => messages.length === 30), 'everything at the healthy ones')
    assert.equal(hanging.messages.length, differentIds(hanging), 'it is still at its first attempts')
    assert.equal(hanging.open(), hanging.messages.length)
    assert.ok(hanging.messages.length > 0)
    endHanging()
  })
})

describe('hundreds of watches at one host', () => {
  /** A multiple of six. */
  const WATCHES = 996

  it('never exceed the share of an account in the limit of concurrent attempts per host', async () => {
    await using endpoint = await startEndpoint()
    await using app = await startTestApp({ ...PRIVATE, WEBHOOK_CONCURRENCY_PER_HOST: '8' }, NEVER_SLOW)
    await withWatchesAt(app.store, WATCHES, endpoint.url)
    await app.publish(incidents(1))
    await until(() => differentIds(endpoint) === WATCHES, 'the first messages, which prove that the endpoint answers')
    let open = 0
    let maximum = 0
    // Holds responses until six requests are open, so that a busy machine reaches the limit too.
    const held: Parameters<typeof endpoint.answer>[0][] = []
    endpoint.answer = (response) => {
      maximum = Math.max(maximum, ++open)
      if (held.push(response) !== 6) return
      setTimeout(() => {
        open -= held.length
        for (const each of held.splice(0)) each.writeHead(204).end()
      }, 1)
    }
    await app.publish(incidents(1, 2))
    await until(() => differentIds(endpoint) === 2 * WATCHES, 'the second messages')
    assert.equal(maximum, 6)
  })
})

describe('while deliveries wait for their next attempt', () => {
  /** Creates a delivery that has failed once, and a function that advances to its next attempt. */
  async function failedOnce() {
    const scope = new AsyncDisposableStack()
    const endpoint = scope.use(await startEndpoint())
    endpoint.answer = (response) => response.writeHead(500).end()
    let offset = 0
    const app = scope.use(await startTestApp(PRIVATE, { clock: () => Date.now() + offset }))
    const watch = await watchAt(app, endpoint)
    await app.publish(incidents(1))
    const { deliveries } = app.store
    await until(async () => (await deliveries.queueDepth(10)).waiting === 1, 'the failure')
    endpoint.answer = (response) => response.writeHead(204).end()
    return {
      ...watch,
      app,
      endpoint,
      advanceToNextAttempt: () => {
        offset += 60_000
      },
      [Symbol.asyncDispose]: () => scope.disposeAsync(),
    }
  }

  it('a changed URL receives them under the same id and name', async () => {
    await using elsewhere = await startEndpoint()
    await using waiting = await failedOnce()
    const { app, endpoint, id, key } = waiting
    await app.patch(`/v1/watches/${id}`, { url: elsewhere.url, name: 'Renamed' }, key, null)
    waiting.advanceToNextAttempt()
    await until(() => elsewhere.messages.length === 1, 'the message')
    assert.equal(endpoint.messages.length, 1)
    assert.equal(elsewhere.messages[0]?.body, endpoint.messages[0]?.body)
  })

  it('pausing the watch holds them back, and resuming sends them under the same id', async () => {
    await using waiting = await failedOnce()
    const { app, endpoint, id, key } = waiting
    await app.patch(`/v1/watches/${id}`, { status: 'paused' }, key, null)
    waiting.advanceToNextAttempt()
    assert.equal((await statuses(app, waiting)).pending, 1)
    assert.equal(endpoint.messages.length, 1)
    await app.patch(`/v1/watches/${id}`, { status: 'active' }, key, null)
    await until(async () => (await statuses(app, waiting)).delivered === 1)
    assert.equal(differentIds(endpoint), 1)
  })

  it('deleting the watch stops them', async () => {
    await using waiting = await failedOnce()
    const { app, endpoint, id, key } = waiting
    assert.equal((await app.delete(`/v1/watches/${id}`, key)).status, 204)
    waiting.advanceToNextAttempt()
    await until(async () => (await app.store.deliveries.queueDepth(10)).waiting === 0, 'an empty queue')
    assert.equal(endpoint.messages.length, 1)
  })
})

describe('an attempt in flight', () => {
  it('is retried at once after a restart of the service', async () => {
    await using scope = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'incident-feed-'))
    scope.defer(() => rm(folder, { recursive: true, force: true }))
    const endpoint = scope.use(await startEndpoint())
    const settings = {
      ...PRIVATE,
      DATABASE_URL: `sqlite:${join(folder, 'feed.db')}`,
      WEBHOOK_CONCURRENCY_PER_HOST: '1',
    }
    const held: ServerResponse[] = []
    endpoint.answer = (response) => held.push(response)
    {
      await using app = await startTestApp(settings)
      await watchAt(app, endpoint)
      await app.publish(incidents(20))
      await until(() => held.length === 1, 'the first message')
    }
    endpoint.answer = (response) => response.writeHead(204).end()
    await using app = await startTestApp(settings)
    // The lease would have lasted a minute; the test finishes earlier.
    await until(() => differentIds(endpoint) === 20, 'the rest')
    const { changes } = await app.store.watches.changedAfter(0, 1)
    const first = await app.store.deliveries.find(changes[0]!.watch!.accountId, endpoint.messages[0]!.json.id)
    assert.equal(first!.delivery.maybeAttempted, true)
  })

  it('survives an outage of the database, and repeated messages have the same ids', async () => {
    await using database = await testDatabase()
    await using proxy = await proxyTo(database.url)
    await using endpoint = await startEndpoint()
    await using app = await startTestApp({ ...PRIVATE, DATABASE_URL: proxy.url }, NEVER_SLOW)
    const watch = await watchAt(app, endpoint)
    // Until its endpoint has answered once, a watch has one attempt at a time.
    await app.publish(incidents(1))
    await until(async () => (await statuses(app, watch)).delivered === 1, 'the first answer')
    const held: ServerResponse[] = []
    endpoint.answer = (response) => held.push(response)
    await app.publish(incidents(20, 2))
    await until(() => held.length === 20, 'the messages')
    proxy.freeze()
    endpoint.answer = (response) => response.writeHead(204).end()
    for (const response of held) response.writeHead(204).end()
    await until(async () => (await app.get('/metrics', null)).status === 200 && (await isAway(app)), 'the outage')
    proxy.thaw()
    await until(async () => (await statuses(app, watch)).delivered === 21, 'all of it')
    assert.equal(differentIds(endpoint), 21)
    await app.publish(incidents(5, 22))
    await until(() => differentIds(endpoint) === 26, 'what came after')
  })
})

describe('a clock that is set back', () => {
  it('delays no retry that was already scheduled', async () => {
    await using endpoint = await startEndpoint()
    endpoint.answer = (response) => response.writeHead(500).end()
    let offset = 0
    const clock = () => Date.now() + offset
    await using app = await startTestApp(PRIVATE, { clock })
    await watchAt(app, endpoint)
    await app.publish(incidents(3))
    await until(async () => (await app.store.deliveries.queueDepth(10)).waiting === 3, 'the failures')
    endpoint.answer = (response) => response.writeHead(204).end()
    offset = -3_600_000
    await until(async () => {
      const { oldestDueAt } = await app.store.deliveries.queueDepth(10)
      return oldestDueAt !== null && oldestDueAt < clock() + 10_000
    }, 'the retries in sight')
    // A larger step would end the leases of the attempts in flight.
    offset += 10_000
    await until(() => endpoint.messages.length === 6, 'the retries')
    assert.equal(differentIds(endpoint), 3)
  })
})

async function isAway(app: TestApp): Promise<boolean> {
  return /incident_feed_deliveries_waiting Nan/i.test(await (await app.get('/metrics', null)).text())
}

describe('the metrics', () => {
  it('show the queue depth, the oldest due delivery, attempts by outcome, and the latency', async () => {
    await using good = await startEndpoint()
    await using bad = await startEndpoint()
    bad.answer = (response) => response.writeHead(500).end()
    let offset = 0
    await using app = await startTestApp(PRIVATE, { clock: () => Date.now() + offset })
    await watchAt(app, good)
    await watchAt(app, bad)
    await app.publish(incidents(2))
    await until(async () => (await app.store.deliveries.queueDepth(10)).waiting === 2, 'the failures')
    const metrics = async () => {
      const text = await (await app.get('/metrics', null)).text()
      return (name: string) =>
        Number(
          text
            .split('\n')
            .find((line) => line.startsWith(`incident_feed_${name} `))
            ?.split(' ')[1],
        )
    }
    let read = await metrics()
    assert.deepEqual(
      [
        read('delivery_attempts_total{channel="webhook",outcome="delivered"}'),
        read('delivery_attempts_total{channel="webhook",outcome="refused"}'),
        read('deliveries_waiting'),
        read('deliveries_leased'),
        read('deliveries_oldest_due_seconds'),
        read('delivery_latency_seconds_count{channel="webhook"}'),
      ],
      [2, 2, 2, 0, 0, 2],
    )
    const endHanging = hang(bad)
    offset += 60_000
    await until(async () => {
      read = await metrics()
      return read('deliveries_leased') === 2
    }, 'the second attempts')
    endHanging()
  })
})

const threads: Worker[] = []
process.on('worker', (worker) => {
  if (worker.threadName === SENDER_THREAD_NAME) threads.push(worker)
})
const endThread = () => threads.at(-1)!.terminate()

async function setUp() {
  const scope = new AsyncDisposableStack()
  const endpoint = scope.use(await startEndpoint())
  const app = scope.use(await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' }))
  return { app, endpoint, watch: await watchAt(app, endpoint), [Symbol.asyncDispose]: () => scope.disposeAsync() }
}

interface Listed {
  readonly status: string
  readonly log: readonly { readonly outcome: string; readonly error: string | null }[]
}

async function deliveries(app: TestApp, { id, key }: { id: string; key: string }): Promise<Listed[]> {
  const response = await app.get(`/v1/watches/${id}/deliveries?limit=100`, key)
  const { data } = (await response.json()) as { data: { id: string }[] }
  return Promise.all(
    data.map(async (each) => (await (await app.get(`/v1/deliveries/${each.id}`, key)).json()) as Listed),
  )
}

const idsOf = (endpoint: TestEndpoint) => endpoint.messages.map(({ json }: Message) => json.id)

describe('if the thread that sends ends in the middle of a delivery', () => {
  it('everything that it was sending is sent again at once, by another, as one attempt each', async () => {
    await using it = await setUp()
    const { app, endpoint, watch } = it
    await app.publish(incidents(1))
    await until(async () => (await deliveries(app, watch)).every(({ status }) => status === 'delivered'))
    let held = 0
    endpoint.answer = () => {
      held++
    }
    await app.publish(incidents(20).map((incident, index) => ({ ...incident, id: anIncident(100 + index).id })))
    await until(() => held >= 2, 'some in flight')
    const before = threads.length
    // Held until it has ended: one that is answered meanwhile may or may not be known as delivered.
    await endThread()
    endpoint.answer = (response) => response.writeHead(204).end()
    await until(async () => (await deliveries(app, watch)).filter(({ status }) => status === 'delivered').length === 21)
    assert.equal(threads.length, before + 1)
    const all = await deliveries(app, watch)
    assert.ok(all.every(({ log }) => log.length === 1))
    assert.equal(new Set(idsOf(endpoint)).size, 21)
    assert.ok(endpoint.messages.length >= 21 + held, 'those in flight were sent again')
    const times = Map.groupBy(idsOf(endpoint), (id) => id)
    assert.ok(
      times.values().every(({ length }) => length <= 2),
      'nothing was sent more than once again',
    )
  })

  it('a message that is lost twice is a failed attempt, and is sent again later', async () => {
    await using it = await setUp()
    const { app, endpoint, watch } = it
    endpoint.answer = () => void endThread()
    await app.publish(incidents(1))
    await until(async () => (await deliveries(app, watch))[0]?.log.length === 1)
    endpoint.answer = (response) => response.writeHead(204).end()
    const [lost] = await deliveries(app, watch)
    assert.partialDeepStrictEqual(lost, {
      status: 'pending',
      log: [{ outcome: 'unreachable', error: 'The service was interrupted while it sent this message.' }],
    })
    assert.equal(endpoint.messages.length, 2)
    const { status } = await app.post(`/v1/watches/${watch.id}/retry`, {}, watch.key)
    assert.equal(status, 200)
    await until(async () => (await deliveries(app, watch))[0]?.status === 'delivered')
    assert.equal(new Set(idsOf(endpoint)).size, 1)
  })

  it('a test message says so', async () => {
    await using it = await setUp()
    const { app, endpoint, watch } = it
    endpoint.answer = () => void endThread()
    const response = await app.post(`/v1/watches/${watch.id}/test`, {}, watch.key)
    assert.equal(response.status, 200)
    assert.partialDeepStrictEqual(await response.json(), {
      delivered: false,
      status_code: null,
      message: 'The service was interrupted while it sent this message.',
    })
  })
})

describe('following an incident, with PostgreSQL', () =>
  followingTests(async (scope) => openStore(scope.use(await testDatabase()).url)))
