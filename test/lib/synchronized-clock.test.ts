import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SynchronizedClock } from '../../src/lib/synchronized-clock.ts'

const TRUE_TIME = Date.UTC(2026, 10, 16)
const YEARS = 10 * 365 * 86_400_000

/** A machine whose clock is wrong by `offset`, and a reference that is right. */
function machine(offset: number) {
  const now = { elapsed: 0, offset, readingTakes: 0 }
  const trueTime = () => TRUE_TIME + now.elapsed
  const clock = new SynchronizedClock({ clock: () => trueTime() + now.offset, elapsed: () => now.elapsed })
  const synchronize = () =>
    clock.synchronize(async () => {
      now.elapsed += now.readingTakes / 2
      const time = trueTime()
      now.elapsed += now.readingTakes / 2
      return time
    })
  return { clock, now, trueTime, synchronize }
}

test('without a reference the clock of the machine counts', () => {
  assert.equal(machine(YEARS).clock.now(), TRUE_TIME + YEARS)
})

for (const [offset, corrected] of [
  [0, 0],
  [5000, 0],
  [-5000, 0],
  [5001, 5001],
  [YEARS, YEARS],
  [-YEARS, -YEARS],
] as const) {
  test(`a clock that is ${offset} ms ahead is corrected by ${corrected} ms`, async () => {
    const { clock, now, trueTime, synchronize } = machine(offset)
    await synchronize()
    now.elapsed += 1500
    assert.equal(clock.now(), trueTime() + offset - corrected)
    assert.equal(clock.correctedBy, corrected)
  })
}

test('a clock that jumps between two readings is corrected at once, and trusted again once it is right', async () => {
  const { clock, now, trueTime, synchronize } = machine(0)
  await synchronize()
  now.offset = YEARS
  assert.equal(clock.now(), trueTime())
  now.offset = 40
  assert.equal(clock.now(), trueTime() + 40)
})

test('a reading that takes longer than the tolerance is ignored', async () => {
  const { clock, now, synchronize } = machine(YEARS)
  now.readingTakes = 5001
  await synchronize()
  assert.equal(clock.correctedBy, 0)
  now.readingTakes = 4000
  await synchronize()
  assert.equal(clock.correctedBy, YEARS)
})
