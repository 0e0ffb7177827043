import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Dispatcher } from '../../../src/deliveries/dispatch/dispatcher.ts'
import type { OutgoingRequest } from '../../../src/deliveries/send/message.ts'
import type { ChannelKind } from '../../../src/domain/channel.ts'
import type { SendResult } from '../../../src/domain/delivery.ts'
import type { WatchSchedule } from '../../../src/domain/schedule.ts'
import { WATCH_EVENTS } from '../../../src/domain/watch.ts'
import type { Store } from '../../../src/store/store.ts'
import { created } from '../../store/fixtures.ts'
import { aWatch, listedDeliveries, MAX_WATCHES, newDelivery, watchId, withWatches } from '../../store/watch-fixtures.ts'
import { until } from '../../support/app.ts'
import { openMemoryStore } from '../../support/databases/memory-store.ts'
import { NO_CHANNELS } from '../channels/settings.ts'

const SLACK = 'https://hooks.slack.com/services/T0/B0/x'
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const HOUR = 3_600_000
/** At noon in Lagos. */
const NOON = Date.parse('2026-11-16T12:00:00+01:00')
const HOURLY: WatchSchedule = { digest: { every: 'hourly', hour: 0, breakSeverity: 'critical' }, quietHours: null }

interface Given {
  readonly watches: number
  readonly channel?: ChannelKind
  readonly schedule?: WatchSchedule | null
  /** The store as each process sees it. */
  readonly wrap?: (store: Store, owner: string) => Store
}

async function setUp({ watches, channel = 'slack', schedule = null, wrap = (store) => store }: Given) {
  const scope = new AsyncDisposableStack()
  const store = scope.use(await openMemoryStore())
  await withWatches(store, 0)
  const isWebhook = channel === 'webhook'
  const url = isWebhook ? 'https://example.org/hook' : 'https://hooks.slack.com/***0'
  const secrets = [{ secret: isWebhook ? SECRET : SLACK, expiresAt: null }]
  for (let number = 1; number <= watches; number++)
    await store.watches.add(aWatch(number, { channel, url, secrets, schedule, events: WATCH_EVENTS }), MAX_WATCHES)
  const clock = { now: NOON }
  const posted: OutgoingRequest[] = []
  const errors: unknown[] = []
  const answer = { status: 200 }
  const dead = new Set<string>()
  const sender = {
    async post(request: OutgoingRequest): Promise<SendResult> {
      posted.push(request)
      const fields = { body: '', retryAfter: null, message: 'answered', startedAt: clock.now, durationMs: 1 }
      return { kind: 'answered', status: answer.status, ...fields }
    },
  }
  const start = (owner = 'node') =>
    new Dispatcher(wrap(store, owner), sender as never, {
      owner,
      clock: () => clock.now,
      channels: NO_CHANNELS,
      mails: null,
      alertsPerHour: 100,
      random: () => 0.5,
      concurrency: 8,
      perHost: 8,
      pollIntervalMs: 5,
      holdsLeases: () => !dead.has(owner),
      isAccountDeleted: () => false,
      onError: (error) => errors.push(error),
      onAttempt: () => {},
      onFailing: async () => {},
    })
  /** Adds the event for each of the watches. */
  const add = (event: number, ...numbers: readonly number[]) =>
    store.deliveries.add(
      numbers.map((number) => newDelivery(number, event, schedule === null ? {} : { severity: 'medium' })),
      clock.now,
    )
  /** By watch and event. */
  const statuses = async () => {
    const ids = Array.from({ length: watches }, (_, index) => watchId(index + 1))
    const listed = await Promise.all(ids.map((id) => listedDeliveries(store, 'acc_1', id, null, 500, null)))
    return listed.map((each) => each.map(({ status }) => status).reverse())
  }
  const allDelivered = async () => (await statuses()).flat().every((status) => status === 'delivered')
  return {
    store,
    clock,
    posted,
    errors,
    answer,
    dead,
    start,
    add,
    statuses,
    allDelivered,
    [Symbol.asyncDispose]: () => scope.disposeAsync(),
  }
}

const footerOf = ({ body }: OutgoingRequest) => /Incident Feed · [^"\\]*/.exec(String(body))![0]
const incidentOf = ({ body }: OutgoingRequest) => /inc_\w+/.exec(String(body))![0]

describe('an event that several watches of one person match', () => {
  it('is one message that names them all, and each delivery has its result', async () => {
    await using it = await setUp({ watches: 3 })
    await it.store.incidents.save([created(1)], NOON)
    await it.add(1, 1, 2, 3)
    {
      await using _dispatcher = it.start()
      await until(it.allDelivered)
    }
    assert.deepEqual(it.posted.map(footerOf), ['Incident Feed · Roads 1 · Roads 2 · Roads 3'])
    for (const number of [1, 2, 3]) {
      const [delivery] = await listedDeliveries(it.store, 'acc_1', watchId(number), null, 9, null)
      const details = (await it.store.deliveries.find('acc_1', delivery!.id))!
      assert.deepEqual([delivery!.attempts, details.attempts[0]!.statusCode], [1, 200])
    }
    assert.deepEqual(it.errors, [])
  })

  it('is a message for each of them if they are webhooks', async () => {
    await using it = await setUp({ watches: 3, channel: 'webhook' })
    await it.store.incidents.save([created(1)], NOON)
    await it.add(1, 1, 2, 3)
    await using _dispatcher = it.start()
    await until(it.allDelivered)
    assert.equal(it.posted.length, 3)
  })

  it('is tried again as one message', async () => {
    await using it = await setUp({ watches: 3 })
    await it.store.incidents.save([created(1)], NOON)
    await it.add(1, 1, 2, 3)
    it.answer.status = 503
    await using _dispatcher = it.start()
    const tries = async () => {
      const ids = [1, 2, 3].map(watchId)
      const listed = await Promise.all(ids.map((id) => listedDeliveries(it.store, 'acc_1', id, null, 9, null)))
      return listed.map(([delivery]) => delivery!.tries).join()
    }
    await until(async () => (await tries()) === '1,1,1')
    it.answer.status = 200
    it.clock.now += HOUR
    await until(it.allDelivered)
    assert.deepEqual(it.posted.map(footerOf), Array(2).fill('Incident Feed · Roads 1 · Roads 2 · Roads 3'))
  })

  it('is one message over two processes, each of which has leased some of it', async () => {
    await using it = await setUp({ watches: 4 })
    const events = Array.from({ length: 8 }, (_, index) => index + 1)
    await it.store.incidents.save(
      events.map((event) => created(event)),
      NOON,
    )
    for (const event of events) await it.add(event, 1, 2, 3, 4)
    await using _first = it.start('first')
    await using _second = it.start('second')
    // Each message of a chat has its time; a lease must not end before.
    await until(async () => {
      it.clock.now += 200
      return it.allDelivered()
    })
    assert.equal(it.posted.length, events.length)
    assert.equal(new Set(it.posted.map(incidentOf)).size, events.length)
    assert.equal(new Set(it.posted.map(footerOf)).size, 1)
    assert.deepEqual(it.errors, [])
  })

  it('is told once in digests that fall due together', async () => {
    await using it = await setUp({ watches: 2, schedule: HOURLY })
    await it.store.incidents.save([created(1), created(2), created(3)], NOON)
    await it.add(1, 1)
    await it.add(2, 1, 2)
    await it.add(3, 2)
    it.clock.now = NOON + HOUR
    await using _dispatcher = it.start()
    await until(async () => {
      it.clock.now += 1000
      return it.allDelivered()
    })
    const told = it.posted.flatMap(({ body }) => [...new Set(String(body).match(/inc_\w+/g))])
    assert.equal(told.length, 3)
    assert.equal(new Set(told).size, 3)
    assert.ok(it.posted.some((request) => footerOf(request).endsWith('Roads 1 · Roads 2')))
  })

  it('is told again, whole, if the process is killed before it has recorded the message', async () => {
    const neverWritten = Promise.withResolvers<[]>()
    await using it = await setUp({
      watches: 3,
      wrap: (store, owner) =>
        owner === 'killed'
          ? { ...store, deliveries: { ...store.deliveries, recordAttempts: () => neverWritten.promise } }
          : store,
    })
    await it.store.incidents.save([created(1), created(2)], NOON)
    await it.add(1, 1, 2, 3)
    await it.add(2, 2)
    const killed = it.start('killed')
    await until(() => {
      it.clock.now += 500
      return it.posted.length === 2
    })
    // Nothing of it is written: as after kill -9, the leases end by themselves.
    assert.deepEqual((await it.statuses()).flat(), Array(4).fill('pending'))
    it.dead.add('killed')
    it.clock.now += 2 * 60_000
    await using _second = it.start('second')
    await until(async () => {
      it.clock.now += 1000
      return it.allDelivered()
    })
    assert.equal(it.posted.length, 4)
    assert.deepEqual(it.posted.map(footerOf).sort(), [
      ...Array(2).fill('Incident Feed · Roads 1 · Roads 2 · Roads 3'),
      ...Array(2).fill('Incident Feed · Roads 2'),
    ])
    neverWritten.resolve([])
    await killed[Symbol.asyncDispose]()
  })

  it('is told by the rest of a message of which some was recorded', async () => {
    await using it = await setUp({ watches: 3 })
    await it.store.incidents.save([created(1)], NOON)
    await it.add(1, 1, 2, 3)
    const leased = await it.store.deliveries.lease('gone', NOON, NOON + 1000, 9, { accountIds: [], watchIds: [] })
    const { delivery, endpoint } = leased.dispatches[0]!
    const attempt = {
      duration: 1,
      outcome: 'delivered' as const,
      statusCode: 200,
      contentSeq: 1,
      answer: null,
      error: null,
    }
    const result = {
      deliveryId: delivery.id,
      watchId: delivery.watchId,
      url: endpoint.url,
      at: NOON,
      retryAt: null,
      ...attempt,
    }
    await it.store.deliveries.recordAttempts('gone', [result], NOON)
    it.clock.now = NOON + 1000
    await using _dispatcher = it.start()
    await until(it.allDelivered)
    assert.equal(it.posted.length, 1)
    assert.ok(!footerOf(it.posted[0]!).includes(delivery.watchName))
  })
})
