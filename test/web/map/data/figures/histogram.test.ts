import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_INCIDENTS } from '../../../../../web/map/data/figures/figures.ts'
import {
  type Bar,
  barRangeOf,
  barsIn,
  barsOf,
  figuresOf,
  firstPlaybackRange,
  nextPlaybackRange,
  windowOf,
} from '../../../../../web/map/data/figures/histogram.ts'
import { pageFiguresOf } from '../../../../../web/map/data/figures/page-sums.ts'
import type { Question } from '../../../../../web/map/data/question/question.ts'

const hour = (from: string, to: string, severity: string, count: number, killed: number | null = null) => ({
  hour: { key: from, from, to },
  severity: { key: severity, label: severity },
  count,
  casualties: { killed, injured: null, abducted: null },
})

const SIX_HOURS = barsOf(
  [
    hour('2026-01-01T04:00:00Z', '2026-01-01T05:00:00Z', 'high', 2, 7),
    hour('2026-01-01T04:00:00Z', '2026-01-01T05:00:00Z', 'low', 1),
    hour('2026-01-01T05:00:00Z', '2026-01-01T06:00:00Z', 'high', 4, 1),
    hour('2026-01-01T10:00:00Z', '2026-01-01T11:00:00Z', 'high', 1, 2),
  ],
  '7d',
)

test('counts by hour and severity become bars of six hours, counted from midnight in Lagos', () => {
  assert.deepEqual(
    SIX_HOURS.map((bar) => [
      bar.from,
      bar.to,
      figuresOf(bar, []).count,
      bar.bySeverity.high.count,
      bar.bySeverity.low.count,
    ]),
    [
      ['2025-12-31T23:00:00Z', '2026-01-01T05:00:00Z', 3, 2, 1],
      ['2026-01-01T05:00:00Z', '2026-01-01T11:00:00Z', 5, 5, 0],
    ],
  )
})

test('headline, severities and casualties are sums of the bars in the window', () => {
  const question: Question = {
    period: '7d',
    span: null,
    window: { from: '2026-01-01T05:00:00Z', to: '2026-01-01T11:00:00Z' },
    filter: '',
    severities: [],
    box: null,
    road: null,
    polygon: null,
  }
  assert.deepEqual(pageFiguresOf(SIX_HOURS, question).total, { count: 5, killed: 3, injured: null, abducted: null })
  const all = pageFiguresOf(SIX_HOURS, { ...question, window: null, severities: ['low'] })
  assert.deepEqual([all.total.count, all.total.killed], [1, null])
  assert.deepEqual([all.bySeverity.high.count, all.bySeverity.high.killed, all.bySeverity.critical.count], [7, 10, 0])
})

test('a window without bars counts nothing', () => {
  const window = { from: '2020-01-01T00:00:00Z', to: '2020-02-01T00:00:00Z' }
  assert.deepEqual(barRangeOf(days, window), [0, -1])
  assert.deepEqual(barsIn(days, window), [])
})

const days: Bar[] = ['01', '02', '03', '04'].map((day, index) => ({
  from: `2026-01-${day}T00:00:00Z`,
  to: `2026-01-0${index + 2}T00:00:00Z`,
  bySeverity: { low: NO_INCIDENTS, medium: NO_INCIDENTS, high: NO_INCIDENTS, critical: NO_INCIDENTS },
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
