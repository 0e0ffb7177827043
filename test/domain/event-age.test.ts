import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventAge } from '../../src/domain/event-age.ts'

/** 00:30 in Lagos on 16 November. */
const NOW = Date.parse('2026-11-15T23:30:00Z')
const CASES = [
  ['2026-11-15T20:30:00Z', 'exact', 'hours', 3],
  ['2026-11-15T23:29:50Z', 'exact', 'now', 0],
  ['2026-11-15T23:10:00Z', 'hour', 'minutes', 20],
  ['2026-11-16T00:00:00Z', 'day', 'today', 0],
  ['2026-11-15T00:00:00Z', 'day', 'yesterday', 1],
  ['2026-11-13T00:00:00Z', 'day', 'days', 3],
  ['2026-08-01T00:00:00Z', 'day', 'date', 107],
  ['2026-11-09T00:00:00Z', 'week', 'week', 0],
  ['2026-11-01T00:00:00Z', 'month', 'month', 0],
  ['2026-01-01T00:00:00Z', 'year', 'year', 0],
] as const
for (const [occurred_at, time_precision, unit, count] of CASES) {
  test(`${occurred_at} known to the ${time_precision}: ${unit} ${count}`, () =>
    assert.deepEqual(eventAge({ occurred_at, time_precision }, NOW), { unit, count }))
}
