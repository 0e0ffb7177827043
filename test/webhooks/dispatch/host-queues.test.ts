import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { HostQueues, type QueuedDelivery } from '../../../src/webhooks/dispatch/host-queues.ts'
import { aDispatch } from '../dispatches.ts'

const LIMITS = { perHost: 3, slowWaiting: 4, silentWaiting: 2, rememberFor: 1000 }
let now: number
let lanes: HostQueues
beforeEach(() => {
  now = 10_000
  lanes = new HostQueues({ ...LIMITS, clock: () => now })
})

function waiting(id: string, host: string, critical = false): QueuedDelivery {
  return { dispatch: aDispatch({ id, host, critical }), leasedUntil: 0 }
}

function add(host: string, ...ids: string[]): void {
  for (const id of ids) lanes.add(waiting(id, host, id.startsWith('critical')))
}

function taken(quickOnly = false): string[] {
  const ids: string[] = []
  for (let next = lanes.take(quickOnly); next !== null; next = lanes.take(quickOnly))
    ids.push(next.waiting.dispatch.delivery.id)
  return ids
}

/** One attempt at the host, which turns out so. */
function attempt(shown: 'quick' | 'slow' | 'silent'): void {
  lanes.done(lanes.take(false)!.lane, shown)
}

function silence(host: string): void {
  add(host, 'x', 'y', 'z')
  for (let count = 0; count < 3; count++) attempt('silent')
}

describe('lanes', () => {
  it('give each host its turn, however many wait for one of them', () => {
    add('a', 'a1', 'a2', 'a3', 'a4')
    add('b', 'b1', 'b2')
    add('c', 'c1')
    assert.deepEqual(taken(), ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  })

  it('begin no more at one host than it may have, and go on when one is done', () => {
    add('a', 'a1', 'a2', 'a3', 'a4')
    const { lane } = lanes.take(false)!
    assert.deepEqual(taken(), ['a2', 'a3'])
    lanes.done(lane, 'quick')
    assert.deepEqual(taken(), ['a4'])
  })

  it('let critical ones go first, also before those of other hosts and where the host stood in line already', () => {
    add('a', 'a1', 'a2')
    add('b', 'b1', 'b2', 'critical b')
    add('c', 'critical c')
    assert.deepEqual(taken(), ['critical b', 'critical c', 'a1', 'b1', 'a2', 'b2'])
  })

  it('count what waits for prompt hosts only', () => {
    add('a', 'a1', 'a2')
    add('b', 'b1', 'b2', 'b3')
    assert.equal(lanes.waiting, 5)
    const { lane } = lanes.take(false)!
    lanes.slow(lane)
    assert.equal(lanes.waiting, 3)
    lanes.done(lane, 'quick')
    assert.equal(lanes.waiting, 4)
    lanes.clear()
    assert.equal(lanes.waiting, 0)
    assert.deepEqual(taken(), [])
  })
})

describe('a host that is slow', () => {
  it('has as many attempts as others, but none of the places that prompt hosts need', () => {
    add('slow', 's0')
    attempt('slow')
    add('slow', 's1', 's2', 's3', 's4')
    add('a', 'a1')
    assert.deepEqual(taken(true), ['a1'])
    assert.deepEqual(taken(), ['s1', 's2', 's3'])
  })

  it('keeps what waits for it, up to what all slow hosts may have', () => {
    add('slow', 's1', 's2', 's3')
    attempt('slow')
    assert.deepEqual(lanes.full(100), [])
    add('slow', 's4', 's5', 's6')
    assert.deepEqual(lanes.full(100), ['slow'])
    const { lane } = lanes.take(false)!
    lanes.done(lane, 'quick')
    assert.deepEqual(taken(), ['s3', 's4', 's5'], 's6 was left to whoever leases it later')
  })
})

describe('a host that is silent', () => {
  it('is one that has not answered three times in a row', () => {
    add('a', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7')
    for (const shown of ['silent', 'silent', 'quick', 'silent', 'silent'] as const) attempt(shown)
    assert.deepEqual(taken(), ['a6', 'a7'])
  })

  it('has one attempt at a time, few that wait, and is asked for no more', () => {
    silence('a')
    add('a', 'a1', 'a2', 'a3')
    assert.deepEqual(lanes.full(100), ['a'])
    assert.deepEqual(taken(true), [])
    assert.deepEqual(taken(), ['a1'])
  })

  it('lets go of what waits beyond that, the critical ones last', () => {
    add('a', ...Array.from({ length: 9 }, (_, index) => `a${index}`))
    attempt('silent')
    attempt('silent')
    add('a', 'critical a')
    const { lane } = lanes.take(false)!
    add('a', 'critical b')
    lanes.done(lane, 'silent')
    assert.equal(lane.waiting, 2)
    lanes.done(lanes.take(false)!.lane, 'quick')
    assert.deepEqual(taken(), ['a2'])
  })

  it('begins nothing more where it fell silent while it stood in line', () => {
    add('a', 'a1', 'a2', 'a3', 'a4', 'a5', 'a6')
    const { lane } = lanes.take(false)!
    lanes.take(false)
    lane.silences = 2
    lanes.done(lane, 'silent')
    assert.deepEqual(taken(), [])
    lanes.done(lane, 'silent')
    assert.deepEqual(taken(), ['a3'])
  })

  it('is trusted again as soon as it answers', () => {
    silence('a')
    add('a', 'a1', 'a2')
    attempt('quick')
    add('a', 'a3', 'a4')
    assert.deepEqual(taken(), ['a2', 'a3', 'a4'])
  })

  it('is trusted again after a while without anything to do', () => {
    silence('a')
    now += 999
    lanes.forgetIdle()
    add('a', 'a1', 'a2', 'a3')
    assert.equal(lanes.take(false)!.lane.health, 'silent')
    lanes.clear()
    silence('b')
    now += 1000
    add('b', 'b1', 'b2', 'b3')
    assert.deepEqual(taken(), ['b1', 'b2', 'b3'])
  })
})

it('a full host is one with enough waiting', () => {
  add('a', 'a1', 'a2', 'a3')
  add('b', 'b1')
  assert.deepEqual(lanes.full(3), ['a'])
})
