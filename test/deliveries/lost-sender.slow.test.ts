import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { SENDER_THREAD_NAME } from '../../src/deliveries/send/sending-thread.ts'
import { startTestApp, type TestApp, until } from '../support/app.ts'
import { anIncident } from '../support/incident.ts'
import { type Message, startEndpoint, type TestEndpoint } from '../support/receivers.ts'

const threads: Worker[] = []
process.on('worker', (worker) => {
  if (worker.threadName === SENDER_THREAD_NAME) threads.push(worker)
})
const endThread = () => threads.at(-1)!.terminate()

async function setUp() {
  const scope = new AsyncDisposableStack()
  const endpoint = scope.use(await startEndpoint())
  const app = scope.use(await startTestApp({ WEBHOOK_ALLOW_PRIVATE: 'true' }))
  const key = (await app.issue()).text
  const made = await app.post('/v1/watches', { name: 'A watch', url: endpoint.url, filter: {} }, key)
  assert.equal(made.status, 201)
  const { id } = (await made.json()) as { id: string }
  const watch = { id, key }
  return { app, endpoint, watch, [Symbol.asyncDispose]: () => scope.disposeAsync() }
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

const incidents = (count: number) =>
  Array.from({ length: count }, (_, index) => anIncident(index + 1, { published_at: new Date().toISOString() }))

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
