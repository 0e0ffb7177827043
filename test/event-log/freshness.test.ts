import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Freshness } from '../../src/event-log/freshness.ts'

test('a node is in step since its start, until it could not read the log for five seconds, then since it can again', () => {
  let elapsed = 0
  const start = Date.parse('2026-11-15T12:00:00Z')
  const freshness = new Freshness({ clock: () => start + elapsed, elapsed: () => elapsed })
  const readAt = (time: number) => {
    elapsed = time
    freshness.recordInStep(freshness.currentMoment())
  }
  for (const second of [1, 2, 3]) readAt(second * 1000)
  assert.equal(freshness.inStepSince, '2026-11-15T12:00:00.000Z')
  elapsed = 8_001
  assert.equal(freshness.inStepSince, null)
  assert.equal(freshness.inStepAt, '2026-11-15T12:00:03.000Z')
  readAt(9_000)
  readAt(10_000)
  assert.equal(freshness.inStepSince, '2026-11-15T12:00:09.000Z')
})
