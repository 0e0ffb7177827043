import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Connection, type Freshness, freshness, waitBefore } from '../../../../web/map/live/freshness.ts'

const CASES: [Connection, number, boolean, Freshness][] = [
  ['streaming', 0, true, 'live'],
  ['streaming', 39_999, true, 'live'],
  ['streaming', 40_000, true, 'behind'],
  ['polling', 15_000, true, 'live'],
  ['connecting', 0, true, 'behind'],
  ['lost', 1000, true, 'behind'],
  ['lost', 90_000, true, 'offline'],
  ['streaming', 90_000, true, 'offline'],
  ['streaming', 0, false, 'offline'],
]
for (const [connection, silence, online, expected] of CASES) {
  test(`${connection}, ${silence} ms of silence, ${online ? 'online' : 'offline'}: ${expected}`, () =>
    assert.equal(freshness(connection, 1000, 1000 + silence, online), expected))
}

test('each wait is twice as long as the one before, up to half a minute, and by chance less', () => {
  const waits = [0, 1, 2, 3, 20].map((attempt) => waitBefore(attempt, 1000, () => 1))
  assert.deepEqual(waits, [1000, 2000, 4000, 8000, 30_000])
  assert.equal(
    waitBefore(0, 1000, () => 0),
    700,
  )
})
