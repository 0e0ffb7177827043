import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type ConnectionState,
  type Freshness,
  freshnessOf,
  reconnectDelay,
} from '../../../../web/map/live/freshness.ts'

const CASES: [ConnectionState, number, boolean, Freshness][] = [
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
    assert.equal(freshnessOf(connection, 1000, 1000 + silence, 1000 + silence, online), expected))
}

test('a server that was cut off from its log is behind, though it sends heartbeats', () => {
  assert.equal(freshnessOf('streaming', 100_000, 60_001, 100_000, true), 'live')
  assert.equal(freshnessOf('streaming', 100_000, 60_000, 100_000, true), 'behind')
})

test('each reconnect delay is twice the one before, up to 30 seconds, less up to 30 % jitter', () => {
  const delays = [0, 1, 2, 3, 20].map((attempt) => reconnectDelay(attempt, 1000, () => 1))
  assert.deepEqual(delays, [1000, 2000, 4000, 8000, 30_000])
  assert.equal(
    reconnectDelay(0, 1000, () => 0),
    700,
  )
})
