import assert from 'node:assert/strict'
import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { describe, it, test } from 'node:test'
import { inFlightLimits } from '../../src/deliveries/admission.ts'
import { InFlightAttempts } from '../../src/deliveries/attempts.ts'
import { ChannelRates } from '../../src/deliveries/channel-rate.ts'
import { emailTargetText } from '../../src/deliveries/channels/target.ts'
import { Dispatcher, type DispatcherOptions } from '../../src/deliveries/dispatcher.ts'
import { MessageSource } from '../../src/deliveries/messages.ts'
import { DeliveryQueues, type StartedAttempt } from '../../src/deliveries/queues.ts'
import { MailServerDown, SenderLost } from '../../src/deliveries/send/failure.ts'
import type { MessageSender } from '../../src/deliveries/send/message.ts'
import { WebhookSender } from '../../src/deliveries/send/webhook-sender.ts'
import type { WatchEvent } from '../../src/domain/watch.ts'
import { machine } from '../../src/lib/runtime.ts'
import { type AttemptResult, type FailingWatch, type Store, StoreUnavailable } from '../../src/store/store.ts'
import {
  appendTo,
  aWatch,
  created,
  deliveryId,
  LEASE,
  listedDeliveries,
  NONE_FULL,
  NOW,
  newDelivery,
  retracted,
  watchId,
} from '../store/fixtures.ts'
import { until } from '../support/app.ts'
import { openMemoryStore } from '../support/databases/stores.ts'
import { startEndpoint } from '../support/receivers.ts'
import { aDispatch, NO_CHANNELS, withWatchesAt } from './fixtures.ts'

/** Longer than any test may take. */
const FOR_EVER = 2 ** 30

const guard = { allowPrivate: true, lookup: lookup as LookupFunction }

async function setUp(
  changes: Partial<DispatcherOptions> = {},
  wrap: (store: Store) => Store = (store) => store,
  wrapSender: (sender: MessageSender) => MessageSender = (sender) => sender,
) {
  const scope = new AsyncDisposableStack()
  const endpoint = scope.use(await startEndpoint())
  const store = scope.use(await openMemoryStore())
  await withWatchesAt(store, 2, endpoint.url)
  const sender = scope.use(new WebhookSender({ guard }))
  const errors: unknown[] = []
  const attempts: AttemptResult[] = []
  const reports: (readonly FailingWatch[])[] = []
  const start = () =>
    scope.use(
      new Dispatcher(wrap(store), wrapSender(sender), {
        owner: 'node',
        clock: () => NOW,
        agingClock: () => NOW,
        runtime: machine,
        channels: NO_CHANNELS,
        mails: null,
        alertsPerHour: 100,
        random: () => 0.5,
        concurrency: 1,
        perHost: 1,
        pollIntervalMs: 5,
        holdsLeases: () => true,
        yieldsLeases: () => false,
        isAccountDeleted: () => false,
        onError: (error) => errors.push(error),
        onAttempt: (result) => attempts.push(result),
        onFailing: async (failing) => {
          reports.push(failing)
        },
        ...changes,
      }),
    )
  const dispose = () => scope.disposeAsync()
  return { endpoint, store, errors, attempts, reports, start, [Symbol.asyncDispose]: dispose }
}

async function addDueDeliveries(store: Store, count: number, criticalFrom = count + 1): Promise<void> {
  await appendTo(store, count)
  const all = Array.from({ length: count }, (_, index) => index + 1)
  await store.deliveries.add(
    all.map((event) => newDelivery(1, event, { critical: event >= criticalFrom })),
    NOW,
  )
}

const delivered = async (store: Store) =>
  (await listedDeliveries(store, 'acc_1', watchId(1), 'delivered', 1000, null)).length

describe('the dispatcher', () => {
  it('sends due deliveries, critical ones first if there is a backlog', async () => {
    await using it = await setUp()
    await addDueDeliveries(it.store, 20, 18)
    it.start()
    await until(async () => (await delivered(it.store)) === 20)
    const seqs = it.endpoint.messages.map(({ json }) => json.seq)
    assert.deepEqual(seqs.slice(0, 3).sort(), [18, 19, 20])
    assert.equal(new Set(seqs).size, 20)
  })

  it('leases and sends nothing while its leases may be lost, and continues afterwards', async () => {
    let holds = false
    let asked = 0
    await using it = await setUp({
      holdsLeases: () => {
        asked++
        return holds
      },
    })
    await addDueDeliveries(it.store, 3)
    const dispatcher = it.start()
    await until(() => asked > 3)
    assert.equal((await it.store.deliveries.queueDepth(10)).leased, 0)
    assert.equal(it.endpoint.messages.length, 0)
    holds = true
    dispatcher.resume()
    await until(async () => (await delivered(it.store)) === 3)
  })

  it('sends nothing that it holds of an account that was deleted, and ends those deliveries', async () => {
    const deleted = new Set(['acc_1'])
    await using it = await setUp({ isAccountDeleted: (id) => deleted.has(id) })
    await addDueDeliveries(it.store, 3)
    it.start()
    const cancelled = async () => (await listedDeliveries(it.store, 'acc_1', watchId(1), 'cancelled', 10, null)).length
    await until(async () => (await cancelled()) === 3)
    assert.equal(it.endpoint.messages.length, 0)
    deleted.clear()
    await appendTo(it.store, 4)
    await it.store.deliveries.add([newDelivery(1, 4)], NOW)
    await until(async () => (await delivered(it.store)) === 1)
  })

  for (const wasAsked of [false, true])
    it(`lets mails wait without an attempt while the mail server is away${wasAsked ? ', and may have taken one' : ''}`, async () => {
      let asked = 0
      const mails = {
        sendMail: async () => {
          asked++
          throw new MailServerDown('away', wasAsked)
        },
        [Symbol.dispose]: () => {},
      }
      await using it = await setUp({ mails })
      const target = emailTargetText({ to: 'ada@example.org', key: 'k'.repeat(24), label: null })
      const secrets = [{ secret: target, expiresAt: null }]
      await it.store.watches.add(aWatch(9, { channel: 'email', url: 'mailto:ada@example.org', secrets }), 10)
      await appendTo(it.store, 1)
      await it.store.deliveries.add([newDelivery(9, 1)], NOW)
      it.start()
      const waiting = async () => (await listedDeliveries(it.store, 'acc_1', watchId(9), 'pending', 1, null))[0]!
      await until(async () => (await waiting()).dueAt === NOW + 30_000)
      const { attempts, maybeAttempted, leaseOwner } = await waiting()
      assert.deepEqual([attempts, maybeAttempted, leaseOwner, asked], [0, wasAsked, null, 1])
      assert.deepEqual([it.attempts, it.reports], [[], []])
    })

  it('sends nothing that it had leased before it was taken for dead', async () => {
    let holds = false
    await using it = await setUp({ holdsLeases: () => holds })
    await appendTo(it.store, 3)
    const dispatcher = it.start()
    const [event] = await it.store.events.after(0, 1)
    const from = await it.store.fanOut.lease('node', NOW, NOW + 60_000)
    const chunk = { from: from!, to: { seq: 1, afterWatchId: null }, deliveries: [newDelivery(1, 1)] }
    const dispatches = await it.store.fanOut.write('node', chunk, NOW, NOW + 60_000)
    dispatcher.sendLeased(dispatches!, new Map([[1, event!]]), NOW + 60_000, performance.now())
    dispatcher.dropLeased()
    holds = true
    await it.store.deliveries.add([newDelivery(1, 2), newDelivery(1, 3)], NOW)
    await until(async () => (await delivered(it.store)) === 2)
    assert.deepEqual(it.endpoint.messages.map(({ json }) => json.seq).sort(), [2, 3])
  })

  it('gives back what waits while newer nodes are to send it, and ends what is in flight', async () => {
    let yields = false
    const leases = { holdsLeases: () => !yields, yieldsLeases: () => yields }
    await using it = await setUp({ ...leases })
    const answers: (() => void)[] = []
    it.endpoint.answer = (response) => answers.push(() => response.end())
    await addDueDeliveries(it.store, 5)
    const dispatcher = it.start()
    await until(() => it.endpoint.messages.length === 1)
    assert.equal((await it.store.deliveries.queueDepth(10)).leased, 5)
    yields = true
    dispatcher.resume()
    await until(async () => (await it.store.deliveries.queueDepth(10)).leased === 1, 'those that waited')
    const newer = await it.store.deliveries.lease('newer', NOW, NOW + LEASE, 10, NONE_FULL)
    assert.deepEqual(
      newer.dispatches.map(({ delivery }) => [delivery.attempts, delivery.maybeAttempted]),
      Array(4).fill([0, false]),
    )
    answers[0]!()
    await until(async () => (await delivered(it.store)) === 1)
    assert.equal(it.endpoint.messages.length, 1)
  })

  it('sends what was lost with its sender again, but not if its leases were taken meanwhile', async () => {
    const posts: PromiseWithResolvers<void>[] = []
    const losing = (sender: MessageSender): MessageSender => ({
      async post(request, accountId) {
        if (posts.length === 2) return sender.post(request, accountId)
        posts.push(Promise.withResolvers())
        await posts.at(-1)!.promise
        throw new SenderLost('ended')
      },
    })
    await using it = await setUp({ pollIntervalMs: FOR_EVER }, undefined, losing)
    await addDueDeliveries(it.store, 2)
    const dispatcher = it.start()
    await until(() => posts.length === 1)
    posts[0]!.resolve()
    await until(() => posts.length === 2)
    dispatcher.dropLeased()
    posts[1]!.resolve()
    await until(() => dispatcher.inFlight === 0)
    await appendTo(it.store, 3)
    await it.store.deliveries.add([newDelivery(1, 3)], NOW)
    await until(async () => (await delivered(it.store)) === 1)
    assert.deepEqual([it.endpoint.messages.map(({ json }) => json.seq), it.errors], [[3], []])
    await dispatcher[Symbol.asyncDispose]()
    assert.equal(dispatcher.hasUnrecorded, true, 'what came of the lost ones is not known')
  })

  it('stops with results that it never learns, and says so', async () => {
    const answered = Promise.withResolvers<void>()
    const hanging = (sender: MessageSender): MessageSender => ({
      async post(request, accountId) {
        await answered.promise
        return sender.post(request, accountId)
      },
    })
    // The time that it waits for answers passes at once.
    const runtime = { ...machine, setTimeout: (call: () => void, ms: number) => machine.setTimeout(call, ms / 100) }
    await using it = await setUp({ runtime }, undefined, hanging)
    await addDueDeliveries(it.store, 1)
    const dispatcher = it.start()
    await until(() => dispatcher.inFlight === 1)
    await dispatcher[Symbol.asyncDispose]()
    answered.resolve()
    await until(() => dispatcher.inFlight === 0)
    assert.equal(dispatcher.hasUnrecorded, true)
  })

  it('sends leased deliveries without reading the store', async () => {
    let reads = 0
    const counting = (store: Store): Store => ({
      ...store,
      events: {
        ...store.events,
        after: (seq, limit) => {
          reads++
          return store.events.after(seq, limit)
        },
      },
      incidents: {
        ...store.incidents,
        current: (ids) => {
          reads++
          return store.incidents.current(ids)
        },
      },
    })
    await using it = await setUp({}, counting)
    await appendTo(it.store, 1)
    const dispatcher = it.start()
    const [event] = await it.store.events.after(0, 1)
    const from = await it.store.fanOut.lease('node', NOW, NOW + 60_000)
    const chunk = { from: from!, to: { seq: 1, afterWatchId: null }, deliveries: [newDelivery(1, 1)] }
    const dispatches = await it.store.fanOut.write('node', chunk, NOW, NOW + 60_000)
    dispatcher.sendLeased(dispatches!, new Map([[1, event!]]), NOW + 60_000, performance.now())
    await until(async () => (await delivered(it.store)) === 1)
    assert.equal(reads, 0)
  })

  it('skips a delivery whose lease would end during the attempt', async () => {
    await using it = await setUp()
    await appendTo(it.store, 1)
    const dispatcher = it.start()
    const [event] = await it.store.events.after(0, 1)
    const from = await it.store.fanOut.lease('node', NOW, NOW + 60_000)
    const chunk = {
      from: from!,
      to: { seq: 1, afterWatchId: null },
      deliveries: [newDelivery(1, 1), newDelivery(2, 1)],
    }
    const [late, inTime] = (await it.store.fanOut.write('node', chunk, NOW, NOW + 60_000))!
    dispatcher.sendLeased([late!], new Map([[1, event!]]), NOW + 19_999, null)
    dispatcher.sendLeased([inTime!], new Map([[1, event!]]), NOW + 60_000, null)
    await until(() => it.attempts.length === 1)
    assert.deepEqual(
      it.endpoint.messages.map(({ json }) => json.id),
      [deliveryId(2, 1)],
    )
  })

  it('reports failing watches, and those whose endpoint responds 410', async () => {
    await using it = await setUp()
    it.endpoint.answer = (response) => response.writeHead(410).end()
    await addDueDeliveries(it.store, 1)
    it.start()
    await until(() => it.reports.length > 0)
    const [failing] = it.reports[0]!
    assert.deepEqual([failing?.watchId, failing?.url, failing?.gone], [watchId(1), it.endpoint.url, true])
    const [delivery] = await listedDeliveries(it.store, 'acc_1', watchId(1), null, 1, null)
    assert.equal(delivery?.status, 'pending')
  })

  it('pauses between polls during a database outage, and continues afterwards', async () => {
    let leases = 0
    let away = true
    const failing = (store: Store): Store => ({
      ...store,
      deliveries: {
        ...store.deliveries,
        lease: async (...values) => {
          leases++
          // The first lease reports that more deliveries are due; the next one fails.
          if (leases > 1 && away) throw new StoreUnavailable('away')
          const leased = await store.deliveries.lease(...values)
          return { ...leased, more: leased.more || leases === 1 }
        },
      },
    })
    await using it = await setUp({ pollIntervalMs: FOR_EVER }, failing)
    it.start()
    await until(() => it.errors.length > 0, 'the error')
    for (let turn = 0; turn < 20; turn++) await it.store.events.head()
    assert.equal(leases, 2, 'it was polled without a pause')
    await addDueDeliveries(it.store, 3)
    away = false
    await until(async () => (await delivered(it.store)) === 3)
  })

  it('starts no attempt once it is stopped, and records the attempts in flight', async () => {
    await using it = await setUp()
    await addDueDeliveries(it.store, 5)
    const dispatcher = it.start()
    let stopped: Promise<void> | null = null
    it.endpoint.answer = (response) => {
      stopped ??= dispatcher[Symbol.asyncDispose]()
      response.writeHead(204).end()
    }
    await until(() => stopped !== null)
    await stopped
    assert.equal(dispatcher.plan([{ ...newDelivery(1, 1), accountId: 'acc_1' }])[0]!.admission, 'busy')
    assert.deepEqual([it.endpoint.messages.length, await delivered(it.store)], [1, 1])
  })
})

function aStartedAttempt(): StartedAttempt {
  const queues = new DeliveryQueues(inFlightLimits(4, 4), () => performance.now())
  queues.enqueue({ dispatch: aDispatch(), leasedUntil: 0 })
  return queues.start()!
}

function inFlightAttempts(crowded = false) {
  const late: StartedAttempt[] = []
  const suspended: StartedAttempt[] = []
  const attempts = new InFlightAttempts(machine)
  const attempt = aStartedAttempt()
  attempts.add(attempt)
  const suspend = (each: StartedAttempt) => {
    suspended.push(each)
    each.pool = 'suspended'
    return true
  }
  const check = () => attempts.suspendSlow({ isCrowded: () => crowded, suspend }, (each) => late.push(each))
  return { attempts, attempt, late, suspended, check }
}

test('an attempt that takes long is late, once, and leaves its pool', async () => {
  const { attempts, attempt, late, suspended, check } = inFlightAttempts()
  assert.equal(check(), false)
  await until(check, 'the report of the late attempt')
  assert.deepEqual([late, suspended], [[attempt], [attempt]])
  assert.deepEqual([check(), attempts.needsChecks, attempts.size], [false, false, 1])
  assert.deepEqual([late, suspended], [[attempt], [attempt]])
  assert.equal(attempts.end(attempt), true)
  assert.equal(attempts.size, 0)
})

test('in a crowded pool an attempt makes room before it is late', async () => {
  const { attempts, attempt, late, check } = inFlightAttempts(true)
  await until(check, 'the suspended attempt')
  assert.deepEqual([late, attempt.pool, attempts.needsChecks], [[], 'suspended', true])
  assert.equal(attempts.end(attempt), false)
})

test('draining waits for attempts in flight', async () => {
  const { attempts, attempt } = inFlightAttempts()
  const drained = attempts.drain(2 ** 30)
  attempts.end(attempt)
  await drained
  await attempts.drain(2 ** 30)
})

test('draining ends at its timeout', async () => {
  const { attempts, attempt } = inFlightAttempts()
  await attempts.drain(1)
  assert.equal(attempts.size, 1)
  attempts.end(attempt)
})

describe('the rate of a channel', () => {
  it('gives each message of a watch its own time, and lets it start then', () => {
    let now = 1000
    const rates = new ChannelRates(() => now)
    const messages = ['a', 'b', 'c'].map((id) => slack(id, 'wat_1'))
    assert.deepEqual(
      messages.map((each) => rates.delayOf(each)),
      [0, 1000, 2000],
    )
    assert.equal(rates.delayOf(slack('d', 'wat_2')), 0)
    // A look before its time changes nothing.
    now = 1500.5
    assert.equal(rates.delayOf(messages[2]!), 1500)
    now = 3000
    assert.deepEqual([rates.delayOf(messages[1]!), rates.delayOf(messages[2]!)], [0, 0])
  })

  it('waits as long as the channel asked', () => {
    let now = 1000
    const rates = new ChannelRates(() => now)
    assert.equal(rates.delayOf(slack('a', 'wat_1')), 0)
    assert.equal(rates.delayOf(slack('b', 'wat_1')), 1000)
    rates.pause('wat_1', 30_000)
    now = 2000
    assert.equal(rates.delayOf(slack('b', 'wat_1')), 29_000)
    now = 31_000
    assert.equal(rates.delayOf(slack('b', 'wat_1')), 0)
  })

  it('does not delay webhooks', () => {
    const rates = new ChannelRates(() => 0)
    const webhook = aDispatch({ id: 'x' })
    assert.deepEqual([rates.delayOf(webhook), rates.delayOf(webhook)], [0, 0])
  })
})

function slack(id: string, watchId: string) {
  const dispatch = aDispatch({ id, watchId })
  return { ...dispatch, endpoint: { ...dispatch.endpoint, channel: 'slack' as const } }
}

it('tells of a retraction at once, whatever was known of the incident a moment before', async () => {
  await using store = await openMemoryStore()
  let now = 0
  const source = new MessageSource(store, { ...machine, elapsed: () => now })
  const read = async (eventSeq: number, kind: WatchEvent) =>
    (await source.readMessage(aDispatch({ eventSeq, kind }).delivery)).document
  await store.incidents.save([created(1)], NOW)
  assert.notEqual(await read(1, 'incident.created'), null)
  // Another process makes the delivery of the retraction: this one has not read the log.
  await store.incidents.save([retracted(1, 2)], NOW)
  now = 10
  assert.notEqual(await read(2, 'incident.retracted'), null)
  assert.equal(await read(1, 'incident.created'), null)
})

it('reads the incident again for a message that may have been sent before', async () => {
  await using store = await openMemoryStore()
  const source = new MessageSource(store, { ...machine, elapsed: () => 0 })
  await store.incidents.save([created(1)], NOW)
  source.addEvents(new Map((await store.events.after(0, 1)).map((event) => [event.seq, event])), 0)
  await store.incidents.save([retracted(1, 2)], NOW)
  const { delivery } = aDispatch()
  assert.notEqual(source.freshMessage(delivery)!.document, null, 'as it was read a moment before')
  for (const changes of [{ attempts: 1 }, { maybeAttempted: true }]) {
    assert.equal(source.freshMessage({ ...delivery, ...changes }), undefined)
    assert.equal((await source.readMessage({ ...delivery, ...changes })).document, null)
    source.addEvents(new Map((await store.events.after(0, 1)).map((event) => [event.seq, event])), 0)
  }
})
