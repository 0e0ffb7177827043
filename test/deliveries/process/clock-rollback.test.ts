import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClockRollbackDetector } from '../../../src/deliveries/clock-rollback.ts'
import { until } from '../../support/app.ts'

const HOUR = 3_600_000

/** Starts a detector whose clock and elapsed time are advanced by the test. */
async function startDetector(onRollback: (by: number) => Promise<void> = async () => {}) {
  let time = 1_000 * HOUR
  let passed = 0
  let reads = 0
  const rollbacks: number[] = []
  const errors: unknown[] = []
  const detector = new ClockRollbackDetector({
    clock: () => time,
    elapsed: () => {
      reads++
      return passed
    },
    intervalMs: 1,
    onRollback: (by) => {
      rollbacks.push(by)
      return onRollback(by)
    },
    onError: (error) => errors.push(error),
  })
  return {
    rollbacks,
    errors,
    /** Advances both times, and resolves once the detector has read them. */
    async advance(clockBy: number, passedBy: number) {
      time += clockBy
      passed += passedBy
      const seen = reads
      await until(() => reads > seen + 1)
    },
    [Symbol.asyncDispose]: () => detector[Symbol.asyncDispose](),
  }
}

describe('a clock', () => {
  it('that was set back is detected, with the difference', async () => {
    await using clock = await startDetector()
    await clock.advance(2000, 2000)
    await clock.advance(1500 - HOUR, 1500)
    assert.deepEqual(clock.rollbacks, [HOUR])
    await clock.advance(3000, 3000)
    await clock.advance(-10 * HOUR, 0)
    assert.deepEqual(clock.rollbacks, [HOUR, 10 * HOUR])
  })

  it('that was set forward, or is a little slow, is ignored', async () => {
    await using clock = await startDetector()
    await clock.advance(HOUR, 1000)
    for (let look = 0; look < 5; look++) await clock.advance(1500, 2000)
    assert.deepEqual(clock.rollbacks, [])
  })

  it('that was set back is reported again until the handler succeeds', async () => {
    let left = 2
    await using clock = await startDetector(async () => {
      if (left-- > 0) throw new Error('away')
    })
    await clock.advance(-HOUR, 0)
    await until(() => clock.rollbacks.length === 3)
    await clock.advance(1000, 1000)
    assert.deepEqual(clock.rollbacks, [HOUR, HOUR, HOUR])
    assert.equal(clock.errors.length, 2)
  })
})
