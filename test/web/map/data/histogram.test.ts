import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Bar,
  barRangeOf,
  barsOf,
  firstPlaybackRange,
  nextPlaybackRange,
  windowOf,
} from '../../../../web/map/data/histogram.ts'

const hour = (from: string, to: string, severity: string, count: number) => ({
  hour: { key: from, from, to },
  severity: { key: severity, label: severity },
  count,
})

test('counts by hour and severity become bars of six hours', () => {
  const bars = barsOf(
    [
      hour('2026-01-01T05:00:00Z', '2026-01-01T06:00:00Z', 'high', 2),
      hour('2026-01-01T05:00:00Z', '2026-01-01T06:00:00Z', 'low', 1),
      hour('2026-01-01T06:00:00Z', '2026-01-01T07:00:00Z', 'high', 4),
      hour('2026-01-01T11:00:00Z', '2026-01-01T12:00:00Z', 'high', 1),
    ],
    '7d',
  )
  assert.deepEqual(
    bars.map(({ from, to, total, bySeverity }) => [from, to, total, bySeverity.high, bySeverity.low]),
    [
      ['2026-01-01T00:00:00Z', '2026-01-01T06:00:00Z', 3, 2, 1],
      ['2026-01-01T06:00:00Z', '2026-01-01T12:00:00Z', 5, 5, 0],
    ],
  )
})

const days: Bar[] = ['01', '02', '03', '04'].map((day, index) => ({
  from: `2026-01-${day}T00:00:00Z`,
  to: `2026-01-0${index + 2}T00:00:00Z`,
  total: 0,
  bySeverity: { low: 0, medium: 0, high: 0, critical: 0 },
}))

test('a window is read back as the range of bars that it was made from', () => {
  for (const [first, last] of [
    [0, 1],
    [1, 1],
    [2, 3],
  ] as const)
    assert.deepEqual(barRangeOf(days, windowOf(days, first, last)), [first, last])
})

test('the range of all bars is no window', () => {
  assert.equal(windowOf(days, 0, 3), null)
  assert.deepEqual(barRangeOf(days, null), [0, 3])
})

test('playback starts with a tenth of the period or with the current range, and stops at the end', () => {
  assert.deepEqual(firstPlaybackRange(30, 0, 29), [0, 2])
  assert.deepEqual(firstPlaybackRange(4, 0, 3), [0, 0])
  assert.deepEqual(firstPlaybackRange(30, 5, 9), [5, 9])
  assert.deepEqual(firstPlaybackRange(30, 25, 29), [0, 4])
  assert.deepEqual(nextPlaybackRange(30, 5, 9), [6, 10])
  assert.equal(nextPlaybackRange(30, 25, 29), null)
})
