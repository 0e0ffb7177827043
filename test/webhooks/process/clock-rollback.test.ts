import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClockRollbackDetector } from '../../../src/webhooks/process/clock-rollback.ts'
import { until } from '../../support/app.ts'

const HOUR = 3_600_000

/** A clock and the time that truly passes, each moved by hand. */
async function watched(onRollback: (by: number) => Promise<void> = async () => {}) {
  let time = 1_000 * HOUR
  let passed = 0
  let looks = 0
  const told: number[] = []
  const troubles: unknown[] = []
  const setBack = new ClockRollbackDetector({
    clock: () => time,
    elapsed: () => {
      looks++
      return passed
    },
    intervalMs: 1,
    onRollback: (by) => {
      told.push(by)
      return onRollback(by)
    },
    onError: (error) => troubles.push(error),
  })
  return {
    told,
    troubles,
    /** Time passes; the clock goes by so much. Resolves once that has been looked at. */
    async move(clockBy: number, passedBy: number) {
      time += clockBy
      passed += passedBy
      const seen = looks
      await until(() => looks > seen + 1)
    },
    [Symbol.asyncDispose]: () => setBack[Symbol.asyncDispose](),
  }
}

describe('a clock', () => {
  it('that was set back is noticed, and by how much it is wrong', async () => {
    await using clock = await watched()
    await clock.move(2000, 2000)
    await clock.move(1500 - HOUR, 1500)
    assert.deepEqual(clock.told, [HOUR])
    await clock.move(3000, 3000)
    await clock.move(-10 * HOUR, 0)
    assert.deepEqual(clock.told, [HOUR, 10 * HOUR])
  })

  it('that was set forward, or is a little slow, is left alone', async () => {
    await using clock = await watched()
    await clock.move(HOUR, 1000)
    for (let look = 0; look < 5; look++) await clock.move(1500, 2000)
    assert.deepEqual(clock.told, [])
  })

  it('that was set back is told of again until it could be acted on', async () => {
    let left = 2
    await using clock = await watched(async () => {
      if (left-- > 0) throw new Error('away')
    })
    await clock.move(-HOUR, 0)
    await until(() => clock.told.length === 3)
    await clock.move(1000, 1000)
    assert.deepEqual(clock.told, [HOUR, HOUR, HOUR])
    assert.equal(clock.troubles.length, 2)
  })
})
