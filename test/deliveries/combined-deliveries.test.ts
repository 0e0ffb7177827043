import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Dispatcher } from '../../src/deliveries/dispatcher.ts'
import type { OutgoingRequest } from '../../src/deliveries/send/message.ts'
import type { SendResult } from '../../src/domain/delivery.ts'
import type { WatchSchedule } from '../../src/domain/schedule.ts'
import { type ChannelKind, WATCH_EVENTS } from '../../src/domain/watch.ts'
import { machine } from '../../src/lib/runtime.ts'
import type { NewDelivery, Store } from '../../src/store/store.ts'
import {
  aWatch,
  created,
  listedDeliveries,
  MAX_WATCHES,
  newDelivery,
  retracted,
  updated,
  watchId,
  withWatches,
} from '../store/fixtures.ts'
import { until } from '../support/app.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import { NO_CHANNELS } from './fixtures.ts'

const SLACK = 'https://hooks.slack.com/services/T0/B0/x'
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const HOUR = 3_600_000
/** At noon in Lagos. */
const NOON = Date.parse('2026-11-16T12:00:00+01:00')
const HOURLY: WatchSchedule = { digest: { every: 'hourly', hour: 0, breakSeverity: 'critical' }, quietHours: null }
const NIGHT: WatchSchedule = {
  digest: null,
  quietHours: { from: 22 * 60, until: 6 * 60, breakSeverity: 'critical' },
}

async function setUp(schedule: WatchSchedule, channel: ChannelKind = 'slack', now = NOON) {
  const scope = new AsyncDisposableStack()
  const store = scope.use(await openMemoryStore())
  await withWatches(store, 0)
  const url = channel === 'webhook' ? 'https://example.org/hook' : 'https://hooks.slack.com/***0'
  const secrets = [{ secret: channel === 'webhook' ? SECRET : SLACK, expiresAt: null }]
  await store.watches.add(aWatch(1, { channel, url, secrets, schedule, events: WATCH_EVENTS }), MAX_WATCHES)
  const clock = { now }
  const posted: OutgoingRequest[] = []
  const errors: unknown[] = []
  const answer = { status: 200 }
  const sender = {
    async post(request: OutgoingRequest): Promise<SendResult> {
      posted.push(request)
      const { status } = answer
      return {
        kind: 'answered',
        status,
        body: '',
        retryAfter: null,
        message: 'answered',
        startedAt: clock.now,
        durationMs: 1,
      }
    },
  }
  const start = (owner = 'node') =>
    new Dispatcher(store, sender as never, {
      owner,
      clock: () => clock.now,
      agingClock: () => clock.now,
      runtime: { ...machine, elapsed: () => clock.now },
      channels: NO_CHANNELS,
      mails: null,
      alertsPerHour: 100,
      random: Math.random,
      concurrency: 4,
      perHost: 4,
      pollIntervalMs: 5,
      holdsLeases: () => true,
      yieldsLeases: () => false,
      isAccountDeleted: () => false,
      onError: (error) => errors.push(error),
      onAttempt: () => {},
      onFailing: async () => {},
    })
  const add = (event: number, changes: Partial<NewDelivery> = {}) =>
    store.deliveries.add([newDelivery(1, event, { severity: 'medium', ...changes })], clock.now)
  const statuses = async () => {
    const listed = await listedDeliveries(store, 'acc_1', watchId(1), null, 500, null)
    return listed.map(({ status }) => status).reverse()
  }
  /** Until the dispatcher has given back all that it may not send. */
  const settled = () => until(async () => (await store.deliveries.queueDepth(1000)).leased === 0)
  return {
    store,
    clock,
    posted,
    errors,
    answer,
    start,
    add,
    statuses,
    settled,
    [Symbol.asyncDispose]: () => scope.disposeAsync(),
  }
}

const titleOf = ({ body }: OutgoingRequest) => (JSON.parse(String(body)) as { text: string }).text

describe('a watch with a digest', () => {
  it('is sent one message for all that is due, and each delivery has its result', async () => {
    await using it = await setUp(HOURLY)
    await it.store.incidents.save(
      Array.from({ length: 130 }, (_, index) => created(index + 1)),
      NOON,
    )
    for (let event = 1; event <= 130; event++) await it.add(event)
    {
      await using _dispatcher = it.start()
      await until(async () => (await it.store.deliveries.queueDepth(500)).oldestDueAt === NOON + HOUR)
      await it.settled()
      assert.equal(it.posted.length, 0, 'held')
      it.clock.now = NOON + HOUR
      await until(async () => (await it.statuses()).every((status) => status === 'delivered'))
    }
    assert.deepEqual(it.posted.map(titleOf), ['130 incidents: 130 new'])
    assert.deepEqual(it.errors, [])
  })

  it('sends at once what breaks it, and tells the rest later', async () => {
    await using it = await setUp(HOURLY)
    await it.store.incidents.save([created(1), created(2), created(3)], NOON)
    await it.add(1)
    await it.add(2, { severity: 'critical' })
    await it.add(3)
    await using _dispatcher = it.start()
    await until(async () => (await it.statuses())[1] === 'delivered')
    await it.settled()
    assert.deepEqual(await it.statuses(), ['pending', 'delivered', 'pending'])
    assert.match(titleOf(it.posted[0]!), /^\w+ in /)
    it.clock.now = NOON + HOUR
    await until(async () => (await it.statuses()).every((status) => status === 'delivered'))
    assert.equal(titleOf(it.posted[1]!), '2 incidents: 2 new')
  })

  it('does not tell what was retracted meanwhile, and tells of the retraction of what was told', async () => {
    await using it = await setUp(HOURLY)
    await it.store.incidents.save([created(1), created(2), created(3), retracted(1, 2), updated(3, 2)], NOON)
    await it.store.incidents.save([created(4)], NOON)
    await it.store.incidents.save([retracted(4, 2)], NOON)
    await it.add(1)
    await it.add(2)
    await it.add(3)
    await it.add(4, { kind: 'incident.retracted' })
    await it.add(5, { kind: 'incident.updated' })
    // The creation of incident 4 was told long ago: only its retraction is due.
    await it.add(7, { kind: 'incident.retracted' })
    it.clock.now = NOON + HOUR
    await using _dispatcher = it.start()
    await until(async () => !(await it.statuses()).includes('pending'))
    assert.deepEqual(await it.statuses(), [
      'cancelled',
      'delivered',
      'delivered',
      'cancelled',
      'delivered',
      'delivered',
    ])
    assert.deepEqual(it.posted.map(titleOf), ['3 incidents: 2 new, 1 withdrawn'])
  })

  it('does not withdraw what came into the filter by a correction and was never told', async () => {
    await using it = await setUp(HOURLY)
    const both = [created(1), created(2)]
    await it.store.incidents.save(both, NOON)
    await using _dispatcher = it.start()
    // Of the first, only the correction matches; the second was told when it was new.
    await it.add(2, { severity: 'critical' })
    await until(async () => (await it.statuses())[0] === 'delivered')
    await it.store.incidents.save([updated(1, 2), updated(2, 2)], NOON)
    await it.store.incidents.save([retracted(1, 3), retracted(2, 3)], NOON)
    for (const event of [3, 4]) await it.add(event, { kind: 'incident.updated' })
    for (const event of [5, 6]) await it.add(event, { kind: 'incident.retracted' })
    const held = (waiting: number) => async () => {
      const depth = await it.store.deliveries.queueDepth(9)
      return depth.waiting === waiting && depth.leased === 0 && depth.oldestDueAt === NOON + HOUR
    }
    await until(held(4))
    it.clock.now = NOON + HOUR
    await until(async () => {
      it.clock.now += 100
      return !(await it.statuses()).includes('pending')
    })
    assert.deepEqual(await it.statuses(), ['delivered', 'cancelled', 'cancelled', 'cancelled', 'delivered'])
    assert.equal(it.posted.length, 2)
    assert.match(titleOf(it.posted[1]!), /^Withdrawn: /)
    assert.deepEqual(it.errors, [])
  })

  it('does not withdraw alone what was cancelled in a message before', async () => {
    await using it = await setUp(HOURLY)
    await it.store.incidents.save([created(1)], NOON)
    await it.store.incidents.save([updated(1, 2)], NOON)
    await it.store.incidents.save([retracted(1, 3)], NOON)
    await using _dispatcher = it.start()
    it.clock.now = NOON + HOUR
    for (const [event, kind] of [
      [2, 'incident.updated'],
      [3, 'incident.retracted'],
    ] as const) {
      await it.add(event, { kind, severity: 'critical' })
      await until(async () => {
        it.clock.now += 100
        return !(await it.statuses()).includes('pending')
      })
    }
    assert.deepEqual([await it.statuses(), it.posted.length], [['cancelled', 'cancelled'], 0])
  })

  it('is tried again as one message, and by another process if this one ends', async () => {
    await using it = await setUp(HOURLY)
    await it.store.incidents.save([created(1), created(2), created(3)], NOON)
    for (const event of [1, 2, 3]) await it.add(event)
    it.clock.now = NOON + HOUR
    it.answer.status = 503
    {
      await using _dispatcher = it.start('first')
      await until(async () =>
        (await listedDeliveries(it.store, 'acc_1', watchId(1), null, 9, null)).every(({ tries }) => tries === 1),
      )
    }
    const retried = await listedDeliveries(it.store, 'acc_1', watchId(1), null, 9, null)
    assert.equal(new Set(retried.map(({ dueAt }) => dueAt)).size, 1, 'due at the same time again')
    it.answer.status = 200
    it.clock.now += HOUR
    await using _dispatcher = it.start('second')
    await until(async () => (await it.statuses()).every((status) => status === 'delivered'))
    assert.deepEqual(it.posted.map(titleOf), Array(2).fill('3 incidents: 3 new'))
  })

  it('is sent whole by another process if the one that was about to send it was killed', async () => {
    await using it = await setUp(HOURLY)
    await it.store.incidents.save([created(1), created(2), created(3)], NOON)
    for (const event of [1, 2, 3]) await it.add(event)
    it.clock.now = NOON + HOUR
    const killed = await it.store.deliveries.leaseOfWatch('killed', watchId(1), it.clock.now, it.clock.now + 60_000, 2)
    assert.equal(killed.length, 2)
    it.clock.now += 60_000
    await using _dispatcher = it.start()
    await until(async () => (await it.statuses()).every((status) => status === 'delivered'))
    assert.deepEqual(it.posted.map(titleOf), ['3 incidents: 3 new'])
  })
})

describe('what a process may have told before it was killed', () => {
  for (const [told, kind] of [
    ['created', 'incident.created'],
    ['corrected', 'incident.updated'],
  ] as const)
    it(`is withdrawn by another one: ${told}`, async () => {
      await using it = await setUp(HOURLY)
      await it.store.incidents.save([created(1)], NOON)
      await it.store.incidents.save([updated(1, 2)], NOON)
      await it.add(kind === 'incident.created' ? 1 : 2, { kind })
      it.clock.now = NOON + HOUR
      const end = it.clock.now + 60_000
      assert.equal((await it.store.deliveries.leaseOfWatch('killed', watchId(1), it.clock.now, end, 9)).length, 1)
      await it.store.incidents.save([retracted(1, 3)], it.clock.now)
      it.clock.now = end
      await it.add(3, { kind: 'incident.retracted', severity: 'critical' })
      await using _dispatcher = it.start()
      await until(async () => !(await it.statuses()).includes('pending'))
      assert.deepEqual(await it.statuses(), ['cancelled', 'delivered'])
      assert.match(titleOf(it.posted[0]!), /^Withdrawn: /)
      assert.deepEqual([it.posted.length, it.errors], [1, []])
    })
})

describe('quiet hours', () => {
  const EVENING = NOON + 11 * HOUR
  const MORNING = NOON + 18 * HOUR

  it('hold messages for people until their end, and send them as one', async () => {
    await using it = await setUp(NIGHT, 'slack', EVENING)
    await it.store.incidents.save([created(1), created(2)], EVENING)
    await it.add(1)
    await it.add(2)
    await using _dispatcher = it.start()
    await until(async () => (await it.store.deliveries.queueDepth(9)).oldestDueAt === MORNING)
    await it.settled()
    it.clock.now = MORNING
    await until(async () => (await it.statuses()).every((status) => status === 'delivered'))
    assert.deepEqual(it.posted.map(titleOf), ['2 incidents: 2 new'])
  })

  it('hold a message whose retry falls into them', async () => {
    await using it = await setUp(NIGHT, 'slack', EVENING - HOUR - 1000)
    await it.store.incidents.save([created(1)], EVENING)
    await it.add(1)
    it.answer.status = 503
    await using _dispatcher = it.start()
    await until(async () => (await listedDeliveries(it.store, 'acc_1', watchId(1), null, 9, null))[0]!.tries === 1)
    it.answer.status = 200
    it.clock.now = EVENING
    await until(async () => (await it.store.deliveries.queueDepth(9)).oldestDueAt === MORNING)
    assert.equal(it.posted.length, 1)
  })

  it('hold webhooks too, which are sent one by one afterwards', async () => {
    await using it = await setUp(NIGHT, 'webhook', EVENING)
    await it.store.incidents.save([created(1), created(2), created(3)], EVENING)
    await it.add(1)
    await it.add(2)
    await it.add(3, { severity: 'critical' })
    await using _dispatcher = it.start()
    await until(async () => (await it.statuses())[2] === 'delivered')
    await it.settled()
    assert.deepEqual(await it.statuses(), ['pending', 'pending', 'delivered'])
    it.clock.now = MORNING
    await until(async () => (await it.statuses()).every((status) => status === 'delivered'))
    assert.deepEqual(
      it.posted.map(({ body }) => (JSON.parse(String(body)) as { sequence: number }).sequence).sort(),
      [1, 2, 3],
    )
  })
})

interface Given {
  readonly watches: number
  readonly channel?: ChannelKind
  readonly schedule?: WatchSchedule | null
  /** The store as each process sees it. */
  readonly wrap?: (store: Store, owner: string) => Store
}

async function setUpWatches({ watches, channel = 'slack', schedule = null, wrap = (store) => store }: Given) {
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
  /** The message with the number `held` is answered once that is `released`. */
  const answer = { status: 200, held: 0, released: Promise.withResolvers<void>() }
  const dead = new Set<string>()
  const sender = {
    async post(request: OutgoingRequest): Promise<SendResult> {
      posted.push(request)
      if (posted.length === answer.held) await answer.released.promise
      const fields = { body: '', retryAfter: null, message: 'answered', startedAt: clock.now, durationMs: 1 }
      return { kind: 'answered', status: answer.status, ...fields }
    },
  }
  const start = (owner = 'node') =>
    new Dispatcher(wrap(store, owner), sender as never, {
      owner,
      clock: () => clock.now,
      agingClock: () => clock.now,
      runtime: { ...machine, elapsed: () => clock.now },
      channels: NO_CHANNELS,
      mails: null,
      alertsPerHour: 100,
      random: () => 0.5,
      concurrency: 8,
      perHost: 8,
      pollIntervalMs: 5,
      holdsLeases: () => !dead.has(owner),
      yieldsLeases: () => false,
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
  /** Retracts incident 1 by the event, for watches 1 and 2. */
  const retract = async (event: number) => {
    await store.incidents.save([retracted(1, 2)], clock.now)
    const changes = { kind: 'incident.retracted' as const }
    await store.deliveries.add([newDelivery(1, event, changes), newDelivery(2, event, changes)], clock.now)
  }
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
    retract,
    statuses,
    allDelivered,
    [Symbol.asyncDispose]: () => scope.disposeAsync(),
  }
}

const footerOf = ({ body }: OutgoingRequest) => /Incident Feed · [^"\\]*/.exec(String(body))![0]
const incidentOf = ({ body }: OutgoingRequest) => /inc_\w+/.exec(String(body))![0]

describe('an event that several watches of one person match', () => {
  it('is one message that names them all, and each delivery has its result', async () => {
    await using it = await setUpWatches({ watches: 3 })
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
    await using it = await setUpWatches({ watches: 3, channel: 'webhook' })
    await it.store.incidents.save([created(1)], NOON)
    await it.add(1, 1, 2, 3)
    await using _dispatcher = it.start()
    await until(it.allDelivered)
    assert.equal(it.posted.length, 3)
  })

  it('is tried again as one message', async () => {
    await using it = await setUpWatches({ watches: 3 })
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
    await using it = await setUpWatches({ watches: 4 })
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
    await using it = await setUpWatches({ watches: 2, schedule: HOURLY })
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
    await using it = await setUpWatches({
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

  it('is withdrawn while the answer to its message is awaited', async () => {
    await using it = await setUpWatches({ watches: 2 })
    await it.store.incidents.save([created(2)], NOON)
    await it.store.incidents.save([created(1)], NOON)
    await using dispatcher = it.start()
    // Only watches that are known to answer have several messages in flight.
    await it.add(1, 1, 2)
    await until(it.allDelivered)
    it.answer.held = 2
    await it.add(2, 1, 2)
    await until(() => {
      it.clock.now += 200
      return it.posted.length === 2
    })
    await it.retract(3)
    await until(() => {
      it.clock.now += 200
      return it.posted.length === 3
    })
    assert.match(titleOf(it.posted[2]!), /^Withdrawn: /)
    assert.equal(dispatcher.hasUnrecorded, true)
    it.answer.released.resolve()
    await until(it.allDelivered)
    assert.equal(dispatcher.hasUnrecorded, false)
    assert.deepEqual([it.posted.length, it.errors], [3, []])
  })

  for (const isLeased of [true, false])
    it(`is ${isLeased ? '' : 'not '}withdrawn if another process ${isLeased ? 'may be telling it' : 'gave it back'}`, async () => {
      await using it = await setUpWatches({ watches: 2 })
      await it.store.incidents.save([created(1)], NOON)
      await it.add(1, 1, 2)
      const end = NOON + 60_000
      const { dispatches } = await it.store.deliveries.lease('other', NOON, end, 9, { accountIds: [], watchIds: [] })
      assert.equal(dispatches.length, 2)
      if (!isLeased)
        await it.store.deliveries.postpone(
          'other',
          dispatches.map(({ delivery }) => ({ deliveryId: delivery.id, dueAt: end, maybeAttempted: false })),
        )
      await it.retract(2)
      await using _dispatcher = it.start()
      const expected = isLeased ? 'delivered' : 'cancelled'
      await until(async () => (await it.statuses()).every((statuses) => statuses[1] !== 'pending'))
      assert.deepEqual(await it.statuses(), Array(2).fill(['pending', expected]))
      assert.equal(it.posted.length, isLeased ? 1 : 0)
    })

  it('is told by the rest of a message of which some was recorded', async () => {
    await using it = await setUpWatches({ watches: 3 })
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
