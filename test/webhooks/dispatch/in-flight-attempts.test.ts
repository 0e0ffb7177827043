import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostQueue } from '../../../src/webhooks/dispatch/host-queues.ts'
import { InFlightAttempts } from '../../../src/webhooks/dispatch/in-flight-attempts.ts'
import { until } from '../../support/app.ts'

const ignoreSlow = () => {}

test('as many attempts are in flight as there are slots', () => {
  const inFlight = new InFlightAttempts(2, ignoreSlow)
  const attempts = [inFlight.start(new HostQueue('a')), inFlight.start(new HostQueue('b'))]
  assert.deepEqual([inFlight.room, inFlight.size], ['none', 2])
  for (const attempt of attempts) assert.equal(inFlight.end(attempt), false)
  assert.deepEqual([inFlight.room, inFlight.size], ['all', 0])
})

test('a slow attempt is reported, and its slot is released', async () => {
  const slow: string[] = []
  const inFlight = new InFlightAttempts(1, (queue) => slow.push(queue.host))
  const attempt = inFlight.start(new HostQueue('a'))
  await until(() => slow.length > 0, 'the report of the slow attempt')
  assert.deepEqual([slow, inFlight.room], [['a'], 'all'])
  assert.equal(inFlight.end(attempt), true)
})

test('slow hosts have separate slots, eight per regular slot, and then must wait', () => {
  const inFlight = new InFlightAttempts(1, ignoreSlow)
  const slow = Object.assign(new HostQueue('slow'), { health: 'slow' as const })
  const attempts = Array.from({ length: 8 }, () => inFlight.start(slow))
  assert.equal(inFlight.room, 'healthy')
  attempts.push(inFlight.start(new HostQueue('a')))
  assert.equal(inFlight.room, 'none')
  for (const attempt of attempts) inFlight.end(attempt)
  assert.equal(inFlight.room, 'all')
})

test('draining waits for attempts in flight', async () => {
  const inFlight = new InFlightAttempts(2, ignoreSlow)
  await inFlight.drain(2 ** 30)
  const attempt = inFlight.start(new HostQueue('a'))
  const drained = inFlight.drain(2 ** 30)
  inFlight.end(attempt)
  await drained
})

test('draining ends at its timeout', async () => {
  const inFlight = new InFlightAttempts(2, ignoreSlow)
  const attempt = inFlight.start(new HostQueue('a'))
  await inFlight.drain(1)
  assert.equal(inFlight.size, 1)
  inFlight.end(attempt)
})
