import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { inFlightLimits, type Observation, recordAfter, recordWhileWaiting } from '../../src/deliveries/admission.ts'
import { DeliveryQueues, type QueuedDelivery, type StartedAttempt } from '../../src/deliveries/queues.ts'
import { aDispatch } from './fixtures.ts'

const CONCURRENCY = 64
const PER_HOST = 16
let now: number
let refills: number
let queues: DeliveryQueues
beforeEach(() => {
  now = 10_000
  refills = 0
  queues = new DeliveryQueues(inFlightLimits(CONCURRENCY, PER_HOST), () => now)
})

interface Target {
  readonly account?: string
  readonly host?: string
  readonly failing?: boolean
}

function queuedDelivery(watchId: string, id: string, { account = watchId, host = watchId, failing = false }: Target) {
  const critical = id.startsWith('critical')
  return { dispatch: aDispatch({ id, watchId, host, critical }, account, failing), leasedUntil: 0 }
}

function enqueue(watchId: string, ids: readonly string[], target: Target = {}): void {
  for (const id of ids) queues.enqueue(queuedDelivery(watchId, id, target))
}

function names(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`)
}

function startAll(): StartedAttempt[] {
  const all: StartedAttempt[] = []
  for (;;) {
    const next = queues.start()
    if (queues.takeRefill()) refills++
    if (next !== null) all.push(next)
    else if (!queues.unfinished) return all
  }
}

/** Starts what can be started and returns those whose names begin with the letter. */
function startedOf(letter: string): string[] {
  return idsOf(startAll()).filter((id) => id.startsWith(letter))
}

const idsOf = (attempts: readonly StartedAttempt[]) => attempts.map(({ queued }) => queued.dispatch.delivery.id)

function finish(attempt: StartedAttempt, observed: Observation): QueuedDelivery[] {
  const removed = queues.setResponse(attempt.queue, recordAfter(attempt.queue.response, observed, now))
  queues.finish(attempt)
  return removed
}

/** Makes attempts, one after the other, that show how the watch responds. */
function show(watchId: string, observed: readonly Observation[], target: Target = {}): void {
  for (const each of observed) {
    enqueue(watchId, ['shown'], target)
    finish(startAll()[0]!, each)
  }
}

const makePrompt = (watchId: string, target: Target = {}) => show(watchId, ['prompt'], target)
const makeSilent = (watchId: string, target: Target = {}) => show(watchId, ['none', 'none', 'none'], target)

/** The attempts take long: their watches are slow, and the attempts are suspended if possible. */
function hang(attempts: readonly StartedAttempt[]): number {
  let suspended = 0
  for (const attempt of attempts) {
    queues.setResponse(attempt.queue, recordWhileWaiting(attempt.queue.response))
    if (queues.suspend(attempt)) suspended++
  }
  return suspended
}

describe('delivery queues', () => {
  it('serve accounts in turn, and the watches of an account in turn', () => {
    for (const watch of ['a', 'b', 'c']) makePrompt(watch, { account: watch === 'c' ? 'two' : 'one' })
    enqueue('a', ['a1', 'a2', 'a3'], { account: 'one' })
    enqueue('b', ['b1'], { account: 'one' })
    enqueue('c', ['c1', 'c2'], { account: 'two' })
    assert.deepEqual(idsOf(startAll()), ['a1', 'c1', 'b1', 'c2', 'a2', 'a3'])
  })

  it('start critical deliveries first, by account, and keep a share for the others', () => {
    for (const watch of ['a', 'b', 'c']) makePrompt(watch)
    enqueue('a', names('critical a', 9))
    enqueue('b', ['critical b'])
    enqueue('c', names('c', 3))
    const ids = idsOf(startAll())
    assert.ok(ids.indexOf('critical b') < 3, `${ids}`)
    assert.ok(ids.indexOf('c1') <= 4, `${ids}`)
    assert.ok(ids.indexOf('critical a5') < ids.indexOf('c3'), `${ids}`)
  })

  it('give a watch one attempt until its endpoint has answered, and then many', () => {
    enqueue('a', names('a', 5))
    const [first, ...none] = startAll()
    assert.deepEqual(none, [])
    finish(first!, 'prompt')
    assert.equal(startAll().length, 4)
  })

  it('leave room at a host for other accounts', () => {
    makePrompt('a', { host: 'shared' })
    makePrompt('b', { host: 'shared' })
    enqueue('a', names('a', 50), { host: 'shared' })
    assert.equal(startAll().length, (PER_HOST * 3) / 4)
    enqueue('b', names('b', 50), { host: 'shared' })
    const started = startAll()
    assert.equal(started.length, PER_HOST / 4)
    assert.ok(idsOf(started).every((id) => id.startsWith('b')))
  })

  it('leave room in all for other accounts', () => {
    for (const watch of names('w', 20)) makePrompt(watch, { account: 'one' })
    for (const watch of names('w', 20)) enqueue(watch, names(watch, 20), { account: 'one' })
    assert.equal(startAll().length, (CONCURRENCY * 3) / 4)
    makePrompt('other')
  })

  it('admit deliveries of a watch that answers until its share is full, and report when to refill', () => {
    makePrompt('a')
    const watch = { watchId: 'a', accountId: 'a', failing: false }
    let count = 0
    for (; queues.admission(watch) === 'queue'; count++) enqueue('a', [`a${count}`])
    assert.equal(queues.admission(watch), 'busy')
    assert.equal(count, 2000)
    assert.deepEqual(queues.excludeFull(), { accountIds: ['a'], watchIds: [] })
    assert.equal(queues.admission({ watchId: 'b', accountId: 'b', failing: false }), 'queue')
    while (queues.waiting > 1000) for (const attempt of startAll()) finish(attempt, 'prompt')
    assert.equal(refills, 1)
  })

  it('forget what waits, but not what is in flight, when they are cleared', () => {
    makePrompt('a')
    enqueue('a', names('a', 3))
    const attempt = queues.start()!
    queues.clear()
    assert.deepEqual([queues.waiting, startAll()], [0, []])
    finish(attempt, 'prompt')
    enqueue('a', ['a9'])
    assert.deepEqual(idsOf(startAll()), ['a9'])
  })
})

describe('endpoints that hang', () => {
  it('on 100 paths of a shared host leave room for a watch there that answers', () => {
    const host = 'shared'
    makePrompt('victim', { host })
    for (const watch of names('w', 100)) enqueue(watch, ['x'], { account: 'attacker', host })
    const hanging = startAll()
    hang(hanging)
    hang(startAll())
    enqueue('victim', names('v', 4), { host })
    assert.deepEqual(startedOf('v'), names('v', 4))
  })

  it('on 100 paths of 100 accounts leave room too, even if all had answered before', () => {
    const host = 'shared'
    for (const watch of [...names('w', 100), 'victim']) makePrompt(watch, { host })
    for (const watch of names('w', 100)) enqueue(watch, names('x', 3), { host })
    for (let round = 0; round < 20; round++) hang(startAll())
    enqueue('victim', names('v', 4), { host })
    assert.deepEqual(startedOf('v'), names('v', 4))
  })

  for (const [who, account] of [
    ['one account', () => 'attacker'],
    ['5,000 accounts', (watch: string) => watch],
  ] as const) {
    it(`at 5,000 hosts of ${who} leave room for a watch that answers, and for a new one`, () => {
      makePrompt('victim')
      for (const watch of names('w', 5000)) enqueue(watch, names('x', 2), { account: account(watch) })
      let inFlight = 0
      for (let round = 0; round < 10; round++) {
        const started = startAll()
        inFlight += started.length
        hang(started)
      }
      assert.ok(inFlight <= 9 * CONCURRENCY, `${inFlight} in flight`)
      enqueue('victim', names('v', 4))
      assert.deepEqual(startedOf('v'), names('v', 4))
      if (who === '5,000 accounts') return
      enqueue('new', ['n1'])
      assert.deepEqual(startedOf('n'), ['n1'])
    })
  }

  it('have few attempts per account, and wait for their end', () => {
    for (const watch of names('w', 500)) enqueue(watch, ['x'], { account: 'attacker', failing: true })
    assert.equal(startAll().length, CONCURRENCY / 2)
  })
})

describe('a watch that answers late', () => {
  it('has some attempts at a time, in a pool of their own', () => {
    show('a', ['prompt', 'late'])
    enqueue('a', names('a', 5))
    const started = startAll()
    assert.deepEqual([started.length, started[0]!.pool], [PER_HOST / 8, 'suspended'])
  })

  it('keeps few deliveries in memory and gives the others back', () => {
    makePrompt('a')
    enqueue('a', [...names('a', 30), 'critical'])
    const attempt = queues.start()!
    const removed = finish(attempt, 'late')
    assert.equal(removed.length, 30 - 16)
    assert.deepEqual(removed.at(-1)!.dispatch.delivery.id, 'a30')
  })

  it('needs three answers in time to be trusted again', () => {
    show('a', ['prompt', 'late', 'prompt', 'prompt'])
    assert.equal(queues.records.isPrompt('a'), false)
    show('a', ['prompt'])
    assert.equal(queues.records.isPrompt('a'), true)
  })
})

describe('a watch that never answers', () => {
  it('is one that failed three times in a row; what waits for it is given back', () => {
    makePrompt('a')
    show('a', ['none', 'none', 'prompt', 'none', 'none'])
    assert.equal(queues.records.isPrompt('a'), true)
    enqueue('a', names('a', 4))
    assert.equal(finish(queues.start()!, 'none').length, 3)
    assert.equal(startAll().length, 0)
  })

  it('gets one attempt when its time has come, and the times grow', () => {
    makeSilent('a')
    const watch = { watchId: 'a', accountId: 'a', failing: true }
    assert.equal(queues.admission(watch), 'postpone')
    now += 5_000
    assert.equal(queues.admission(watch), 'queue')
    enqueue('a', ['a1'])
    assert.equal(queues.admission(watch), 'postpone')
    finish(startAll()[0]!, 'none')
    now += 5_000
    assert.equal(queues.admission(watch), 'postpone')
    now += 5_000
    assert.equal(queues.admission(watch), 'queue')
  })

  it('has its further deliveries postponed by a turn each, up to five minutes', () => {
    makeSilent('a')
    const watch = { watchId: 'a', accountId: 'a', failing: true }
    const delays = Array.from({ length: 100 }, () => queues.postponement(watch))
    assert.deepEqual(delays.slice(0, 3), [5_000, 15_000, 25_000])
    assert.equal(delays.at(-1), 300_000)
  })
})

describe('the first deliveries of thousands of new watches of one account', () => {
  function admitAll() {
    return names('w', 1000).map((watchId) => {
      const admission = queues.admission({ watchId, accountId: 'one', failing: false })
      if (admission === 'queue') enqueue(watchId, ['x'], { account: 'one' })
      return admission
    })
  }

  it('are admitted in part; the rest stays due', () => {
    const admissions = admitAll()
    assert.deepEqual([admissions.indexOf('busy'), admissions.includes('postpone')], [256, false])
    assert.deepEqual(queues.excludeFull().accountIds, ['one'])
    for (let count = 0; count < 20; count++) for (const attempt of startAll()) finish(attempt, 'prompt')
    assert.equal(refills, 1)
  })

  it('are postponed if many of its attempts hang', () => {
    admitAll()
    for (let round = 0; round < 3; round++) hang(startAll())
    const admissions = admitAll()
    assert.deepEqual([admissions.includes('postpone'), admissions.includes('busy')], [true, false])
    assert.deepEqual(queues.excludeFull().accountIds, [])
  })
})
