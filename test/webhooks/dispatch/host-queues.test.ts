import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { HostQueues, type QueuedDelivery } from '../../../src/webhooks/dispatch/host-queues.ts'
import { aDispatch } from '../dispatches.ts'

const LIMITS = { perHost: 3, slowWaiting: 4, silentWaiting: 2, rememberFor: 1000 }
let now: number
let queues: HostQueues
beforeEach(() => {
  now = 10_000
  queues = new HostQueues({ ...LIMITS, clock: () => now })
})

function queuedDelivery(id: string, host: string, critical = false): QueuedDelivery {
  return { dispatch: aDispatch({ id, host, critical }), leasedUntil: 0 }
}

function enqueue(host: string, ...ids: string[]): void {
  for (const id of ids) queues.enqueue(queuedDelivery(id, host, id.startsWith('critical')))
}

function dequeueAll(healthyOnly = false): string[] {
  const ids: string[] = []
  for (let next = queues.dequeue(healthyOnly); next !== null; next = queues.dequeue(healthyOnly))
    ids.push(next.queued.dispatch.delivery.id)
  return ids
}

/** Makes one attempt, which shows the host's health. */
function attempt(observed: 'healthy' | 'slow' | 'silent'): void {
  queues.finish(queues.dequeue(false)!.queue, observed)
}

function makeSilent(host: string): void {
  enqueue(host, 'x', 'y', 'z')
  for (let count = 0; count < 3; count++) attempt('silent')
}

describe('host queues', () => {
  it('serve the hosts in turn, even if many deliveries wait for one of them', () => {
    enqueue('a', 'a1', 'a2', 'a3', 'a4')
    enqueue('b', 'b1', 'b2')
    enqueue('c', 'c1')
    assert.deepEqual(dequeueAll(), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('start no more attempts per host than its limit, and continue when one finishes', () => {
    enqueue('a', 'a1', 'a2', 'a3', 'a4')
    const { queue } = queues.dequeue(false)!
    assert.deepEqual(dequeueAll(), ['a2', 'a3'])
    queues.finish(queue, 'healthy')
    assert.deepEqual(dequeueAll(), ['a4'])
  })

  it('dequeue critical deliveries first, also before those of other hosts that were ready earlier', () => {
    enqueue('a', 'a1', 'a2')
    enqueue('b', 'b1', 'b2', 'critical b')
    enqueue('c', 'critical c')
    assert.deepEqual(dequeueAll(), ['critical b', 'critical c', 'a1', 'b1', 'a2', 'b2'])
  })

  it('count the waiting deliveries of healthy hosts only', () => {
    enqueue('a', 'a1', 'a2')
    enqueue('b', 'b1', 'b2', 'b3')
    assert.equal(queues.waiting, 5)
    const { queue } = queues.dequeue(false)!
    queues.markSlow(queue)
    assert.equal(queues.waiting, 3)
    queues.finish(queue, 'healthy')
    assert.equal(queues.waiting, 4)
    queues.clear()
    assert.equal(queues.waiting, 0)
    assert.deepEqual(dequeueAll(), [])
  })
})

describe('a slow host', () => {
  it('has as many attempts as other hosts, but none of the slots reserved for healthy ones', () => {
    enqueue('slow', 's0')
    attempt('slow')
    enqueue('slow', 's1', 's2', 's3', 's4')
    enqueue('a', 'a1')
    assert.deepEqual(dequeueAll(true), ['a1'])
    assert.deepEqual(dequeueAll(), ['s1', 's2', 's3'])
  })

  it('keeps its waiting deliveries, up to the limit of all slow hosts', () => {
    enqueue('slow', 's1', 's2', 's3')
    attempt('slow')
    assert.deepEqual(queues.fullHosts(100), [])
    enqueue('slow', 's4', 's5', 's6')
    assert.deepEqual(queues.fullHosts(100), ['slow'])
    const { queue } = queues.dequeue(false)!
    queues.finish(queue, 'healthy')
    assert.deepEqual(dequeueAll(), ['s3', 's4', 's5'], 's6 was dropped, to be leased again later')
  })
})

describe('a silent host', () => {
  it('is one that failed to answer three times in a row', () => {
    enqueue('a', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7')
    for (const observed of ['silent', 'silent', 'healthy', 'silent', 'silent'] as const) attempt(observed)
    assert.deepEqual(dequeueAll(), ['a6', 'a7'])
  })

  it('has one attempt at a time, few waiting deliveries, and is excluded from leases', () => {
    makeSilent('a')
    enqueue('a', 'a1', 'a2', 'a3')
    assert.deepEqual(queues.fullHosts(100), ['a'])
    assert.deepEqual(dequeueAll(true), [])
    assert.deepEqual(dequeueAll(), ['a1'])
  })

  it('drops waiting deliveries beyond its limit, critical ones last', () => {
    enqueue('a', ...Array.from({ length: 9 }, (_, index) => `a${index}`))
    attempt('silent')
    attempt('silent')
    enqueue('a', 'critical a')
    const { queue } = queues.dequeue(false)!
    enqueue('a', 'critical b')
    queues.finish(queue, 'silent')
    assert.equal(queue.waiting, 2)
    queues.finish(queues.dequeue(false)!.queue, 'healthy')
    assert.deepEqual(dequeueAll(), ['a2'])
  })

  it('starts no further attempt if it became silent while it was ready', () => {
    enqueue('a', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6')
    const { queue } = queues.dequeue(false)!
    queues.dequeue(false)
    queue.silences = 2
    queues.finish(queue, 'silent')
    assert.deepEqual(dequeueAll(), [])
    queues.finish(queue, 'silent')
    assert.deepEqual(dequeueAll(), ['a3'])
  })

  it('is healthy again as soon as it answers', () => {
    makeSilent('a')
    enqueue('a', 'a1', 'a2')
    attempt('healthy')
    enqueue('a', 'a3', 'a4')
    assert.deepEqual(dequeueAll(), ['a2', 'a3', 'a4'])
  })

  it('is healthy again after some idle time', () => {
    makeSilent('a')
    now += 999
    queues.forgetIdle()
    enqueue('a', 'a1', 'a2', 'a3')
    assert.equal(queues.dequeue(false)!.queue.health, 'silent')
    queues.clear()
    makeSilent('b')
    now += 1000
    enqueue('b', 'b1', 'b2', 'b3')
    assert.deepEqual(dequeueAll(), ['b1', 'b2', 'b3'])
  })
})

it('a host with enough waiting deliveries is full', () => {
  enqueue('a', 'a1', 'a2', 'a3')
  enqueue('b', 'b1')
  assert.deepEqual(queues.fullHosts(3), ['a'])
})
