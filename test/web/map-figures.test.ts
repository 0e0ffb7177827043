import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { ApiError, retryDelay } from '../../web/map/api-client.ts'
import { type TrendsAnswer, trendIn, trendQuery } from '../../web/map/data/area-trend.ts'
import { keepUnchanged } from '../../web/map/data/arrivals.ts'
import {
  type Bar,
  barRangeOf,
  barsIn,
  barsOf,
  figuresOf,
  firstPlaybackRange,
  NO_INCIDENTS,
  nextPlaybackRange,
  pageFiguresOf,
  windowOf,
} from '../../web/map/data/figures.ts'
import type { Question } from '../../web/map/data/question.ts'
import { readView } from '../../web/map/view/view.ts'
import { anIncident } from '../support/incident.ts'

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

const queryOf = (address: string) => trendQuery(readView(new URLSearchParams(address)))?.toString() ?? null

describe('the trend of the chosen area', () => {
  it('is asked for one state or LGA, with what else is chosen, and beside no shape', () => {
    const rest = '&period=month&time_zone=Africa%2FLagos'
    const cases: [string, string | null][] = [
      ['', null],
      ['state=NG-KD', `group_by=state&only=NG-KD${rest}`],
      ['state=NG-KD&lga=NG-KD-CHIKUN', `group_by=lga&only=NG-KD-CHIKUN${rest}`],
      ['state=NG-KD,NG-KN', null],
      ['state=Kadunna', null],
      ['state=NG-KD&lga=NG-KD-CHIKUN,NG-KD-GIWA', null],
      [
        'state=NG-KD&type=kidnapping&severity=high,critical&min_confidence=0.5&span=all',
        `group_by=state&only=NG-KD${rest}&type=kidnapping&severity=high%2Ccritical&min_confidence=0.5`,
      ],
      ['state=NG-KD&near=10.5,7.4&radius_km=20', null],
    ]
    for (const [address, query] of cases) assert.equal(queryOf(address), query, address)
  })

  it('is the running month only if that is higher already, and nothing without a verdict', () => {
    const month = (from: string, verdict: 'higher' | 'not_higher' | null, incomplete = false) => ({
      ...{ from, observed: 14, usual: { from: 5, to: 9 }, verdict, incomplete },
    })
    const answer = (...periods: ReturnType<typeof month>[]): TrendsAnswer => ({ data: [{ periods }] })
    const [october, november] = ['2026-09-30T23:00:00Z', '2026-10-31T23:00:00Z'] as const
    const shown = (...verdicts: Parameters<typeof month>[1][]) => {
      const trend = trendIn(answer(month(october, verdicts[0]!), month(november, verdicts[1]!, true)))
      return trend && [new Date(trend.start).toISOString().slice(0, 10), trend.isOver, trend.isComplete, trend.isHigher]
    }
    assert.deepEqual(shown('not_higher', null), ['2026-09-30', true, true, false])
    assert.deepEqual(shown('higher', null), ['2026-09-30', true, true, true])
    assert.deepEqual(shown('not_higher', 'higher'), ['2026-10-31', false, false, true])
    assert.equal(shown(null, null), null)
    assert.equal(trendIn({ data: [] }), null)
  })
})

const listOf = (...incidents: ReturnType<typeof anIncident>[]) => ({ key: '', seq: 1, nextCursor: null, incidents })

test('incidents that did not change stay the same objects; corrected and new ones are taken', () => {
  const [same, corrected] = [anIncident(1), anIncident(2)]
  const arrived = anIncident(3)
  const correction = { ...corrected, version: corrected.version + 1 }
  const { incidents, seq } = keepUnchanged(listOf(same, corrected), {
    ...listOf(arrived, structuredClone(same), correction),
    seq: 2,
  })
  assert.equal(seq, 2)
  assert.equal(incidents.length, 3)
  assert.equal(incidents[0], arrived)
  assert.equal(incidents[1], same)
  assert.equal(incidents[2], correction)
})

test('another version with the number of one that was lost is taken', () => {
  const lost = anIncident(1, { version: 2, summary: 'Lost.' })
  const written = { ...lost, summary: 'Written afterwards.', updated_at: '2026-06-01T00:00:00Z' }
  assert.equal(keepUnchanged(listOf(lost), listOf(written)).incidents[0], written)
})

test('the first list is taken as it is', () => {
  const list = listOf(anIncident(1))
  assert.deepEqual(keepUnchanged(null, list), list)
})

const delays = (error: Error) => [0, 1, 2, 9].map((attempt) => retryDelay(error, attempt, () => 1))

test('the delay of a retry doubles up to half a minute', () => {
  assert.deepEqual(delays(new ApiError(503, '')), [1000, 2000, 4000, 30_000])
  assert.deepEqual(delays(new TypeError('offline')), [1000, 2000, 4000, 30_000])
})

test('Retry-After is respected, however long', () => {
  assert.deepEqual(delays(new ApiError(429, '', 3000)), [3000, 3000, 4000, 30_000])
  assert.deepEqual(delays(new ApiError(503, '', 600_000)), [600_000, 600_000, 600_000, 600_000])
})
