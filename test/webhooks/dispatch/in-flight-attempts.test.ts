import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostQueue } from '../../../src/webhooks/dispatch/host-queues.ts'
import { InFlightAttempts } from '../../../src/webhooks/dispatch/in-flight-attempts.ts'
import { until } from '../../support/app.ts'

const nobody = () => {}

test('there are as many places as were given', () => {
  const inFlight = new InFlightAttempts(2, nobody)
  const flights = [inFlight.begin(new HostQueue('a')), inFlight.begin(new HostQueue('b'))]
  assert.deepEqual([inFlight.room, inFlight.size], ['none', 2])
  for (const flight of flights) assert.equal(inFlight.end(flight), false)
  assert.deepEqual([inFlight.room, inFlight.size], ['all', 0])
})

test('an attempt that takes long is told of, and its place is free', async () => {
  const slow: string[] = []
  const inFlight = new InFlightAttempts(1, (lane) => slow.push(lane.host))
  const flight = inFlight.begin(new HostQueue('a'))
  await until(() => slow.length > 0, 'the news of the slow one')
  assert.deepEqual([slow, inFlight.room], [['a'], 'all'])
  assert.equal(inFlight.end(flight), true)
})

test('hosts that are known to be slow have places of their own, eight for each, and then must wait', () => {
  const inFlight = new InFlightAttempts(1, nobody)
  const slow = Object.assign(new HostQueue('slow'), { pace: 'slow' as const })
  const flights = Array.from({ length: 8 }, () => inFlight.begin(slow))
  assert.equal(inFlight.room, 'quick')
  flights.push(inFlight.begin(new HostQueue('a')))
  assert.equal(inFlight.room, 'none')
  for (const flight of flights) inFlight.end(flight)
  assert.equal(inFlight.room, 'all')
})

test('finishing waits for what is under way', async () => {
  const inFlight = new InFlightAttempts(2, nobody)
  await inFlight.finish(2 ** 30)
  const flight = inFlight.begin(new HostQueue('a'))
  const finished = inFlight.finish(2 ** 30)
  inFlight.end(flight)
  await finished
})

test('but not for ever', async () => {
  const inFlight = new InFlightAttempts(2, nobody)
  const flight = inFlight.begin(new HostQueue('a'))
  await inFlight.finish(1)
  assert.equal(inFlight.size, 1)
  inFlight.end(flight)
})
