import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type InFlightAttempt,
  InFlightAttempts,
} from '../../../../src/deliveries/dispatch/attempts/in-flight-attempts.ts'
import { DeliveryQueues, type StartedAttempt } from '../../../../src/deliveries/dispatch/queues/delivery-queues.ts'
import { inFlightLimits } from '../../../../src/deliveries/dispatch/queues/pool-limits.ts'
import { until } from '../../../support/app.ts'
import { aDispatch } from '../../dispatches.ts'

function aStartedAttempt(): StartedAttempt {
  const queues = new DeliveryQueues({ limits: inFlightLimits(4, 4), clock: () => 0, onRefill: () => {} })
  queues.enqueue({ dispatch: aDispatch(), leasedUntil: 0 })
  return queues.start()!
}

function inFlightAttempts(isCrowded = false) {
  const late: InFlightAttempt[] = []
  const suspended: InFlightAttempt[] = []
  const attempts = new InFlightAttempts({
    onLate: (attempt) => late.push(attempt),
    isCrowded: () => isCrowded,
    suspend: (attempt) => {
      suspended.push(attempt)
      attempt.pool = 'suspended'
      return true
    },
    onRoom: () => {},
  })
  return { attempts, late, suspended }
}

test('an attempt that takes long is late, once, and leaves its pool', async () => {
  const { attempts, late, suspended } = inFlightAttempts()
  const attempt = attempts.add(aStartedAttempt())
  await until(() => late.length > 0, 'the report of the late attempt')
  assert.deepEqual([late, suspended], [[attempt], [attempt]])
  assert.equal(attempts.size, 1)
  assert.equal(attempts.end(attempt), true)
  assert.equal(attempts.size, 0)
})

test('in a crowded pool an attempt makes room before it is late', async () => {
  const { attempts, late, suspended } = inFlightAttempts(true)
  const attempt = attempts.add(aStartedAttempt())
  await until(() => suspended.length > 0, 'the suspended attempt')
  assert.deepEqual([late, attempt.pool], [[], 'suspended'])
  assert.equal(attempts.end(attempt), false)
})

test('draining waits for attempts in flight', async () => {
  const { attempts } = inFlightAttempts()
  await attempts.drain(2 ** 30)
  const attempt = attempts.add(aStartedAttempt())
  const drained = attempts.drain(2 ** 30)
  attempts.end(attempt)
  await drained
})

test('draining ends at its timeout', async () => {
  const { attempts } = inFlightAttempts()
  const attempt = attempts.add(aStartedAttempt())
  await attempts.drain(1)
  assert.equal(attempts.size, 1)
  attempts.end(attempt)
})
