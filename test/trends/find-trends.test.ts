import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { periodsBetween } from '../../src/lib/calendar.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { findTrends, type TrendInput } from '../../src/trends/find-trends.ts'
import { trendSentence } from '../../src/trends/plain-words.ts'
import { reportingDelayFrom } from '../../src/trends/reporting-delay.ts'
import type { TrendUnit } from '../../src/trends/trend-method.ts'

/** Counts that go up and down a little around a mean, the same in every group. */
const around = (mean: number) => (index: number) => mean + ((index * 7) % 5) - 2

interface Wanted {
  unit?: TrendUnit
  years?: number
  last?: number
  now?: string
  delay?: TrendInput['delay']
  counts?: (index: number, size: number) => number
  groups?: number
}

function trendsOf(wanted: Wanted = {}) {
  const { unit = 'month', years = 6, now = '2026-11-10T12:00:00Z', delay = null, groups = 1 } = wanted
  const end = Date.parse(now)
  const periods = periodsBetween(unit, Date.parse(`${2026 - years}-11-01`), end)
  const last = wanted.last ?? 1
  const countOf = wanted.counts ?? around(7)
  const counts = periods.map((_, index) => countOf(index, periods.length))
  // Its last whole period has so many.
  if (wanted.last !== undefined) counts[counts.length - 2] = last
  const quiet = periods.map((_, index) => around(7)(index))
  const all = [counts, ...Array.from({ length: groups - 1 }, () => quiet)]
  const found = runToEnd(
    findTrends({
      unit,
      periods,
      tested: 2,
      groups: all.map((one, number) => ({ key: `group ${number}`, counts: one })),
      feedTotals: counts,
      delay,
      now: end,
    }),
  )
  return { found, whole: found[0]!.periods[0]!, running: found[0]!.periods[1]! }
}

describe('trends', () => {
  test('a month far above its usual range is higher, in plain words', () => {
    const { whole } = trendsOf({ last: 25 })
    assert.equal(whole.verdict, 'higher')
    assert.ok(whole.observed > whole.upperBound! && whole.ratio! > 2)
    assert.equal(trendSentence(whole, 'month'), '25 in October 2026; 3 to 12 would be usual.')
  })

  test('a month within its range is not', () => {
    const { whole } = trendsOf({ last: 8 })
    assert.equal(whole.verdict, 'not_higher')
  })

  test('a count that would be out of the ordinary alone is not among many groups', () => {
    const alone = trendsOf({ last: 14 }).whole
    const amongMany = trendsOf({ last: 14, groups: 40 }).whole
    assert.equal(alone.verdict, 'higher')
    assert.equal(amongMany.verdict, 'not_higher')
    assert.equal(amongMany.probability, alone.probability)
  })

  test('the running month has no verdict unless it is higher already', () => {
    const { running } = trendsOf()
    assert.equal(running.verdict, null)
    assert.equal(running.isOver, false)
    assert.equal(running.completeness, 9 / 30)
    assert.match(
      trendSentence(running, 'month'),
      /^\d+ so far this month; \d+ to \d+ would be usual for a whole month\.$/,
    )
    const high = trendsOf({ counts: (index, size) => (index === size - 1 ? 40 : around(7)(index)) }).running
    assert.equal(high.verdict, 'higher')
  })

  test('weeks are compared with the same weeks of five years', () => {
    const { whole } = trendsOf({ unit: 'week', last: 30 })
    assert.equal(whole.verdict, 'higher')
    assert.equal(whole.years, 5)
    assert.match(trendSentence(whole, 'week'), /^30 in the week of 2 November 2026; /)
  })

  test('with two years of records it gives no verdict and says why', () => {
    const { found, whole } = trendsOf({ years: 2, last: 25 })
    assert.equal(found[0]!.enoughHistory, false)
    assert.equal(whole.reason, 'The feed has records of 1 whole year before this without a gap; 3 are needed.')
    assert.deepEqual([whole.verdict, whole.expected, whole.usual], [null, null, null])
    assert.equal(trendSentence(whole, 'month'), '25 in October 2026; there is too little history to say what is usual.')
  })

  test('a gap in the records ends the history', () => {
    const { whole } = trendsOf({ counts: (index, size) => (size - index > 20 && size - index < 25 ? 0 : 7) })
    assert.equal(whole.years, 1)
    assert.equal(whole.verdict, null)
  })

  test('a group with hardly an incident in the season gives no verdict', () => {
    const { found } = trendsOf({ counts: (index, size) => (index === size - 2 ? 9 : index % 24 === 5 ? 1 : 0) })
    assert.match(found[0]!.reason!, /whole year|are needed/)
  })

  test('recent weeks are incomplete by the measured delay', () => {
    // Half at once, half after ten days.
    const byDays = Array.from({ length: 61 }, (_, days) => (days === 0 || days === 10 ? 50 : 0))
    const delay = reportingDelayFrom(byDays)!
    assert.deepEqual([delay.incidents, delay.medianDays, delay.ninetiethDays], [100, 0, 10])
    const { whole } = trendsOf({ unit: 'week', delay, last: 7, now: '2026-11-10T12:00:00Z' })
    assert.equal(whole.isOver, true)
    assert.equal(whole.isComplete, false)
    assert.equal(whole.completeness, 0.5)
    assert.equal(whole.verdict, null)
    assert.match(trendSentence(whole, 'week'), /Reports of it are still coming in\.$/)
    const later = trendsOf({ unit: 'week', delay, last: 7, now: '2026-11-15T12:00:00Z' }).whole
    assert.ok(later.completeness! > 0.5 && later.completeness! < 1)
  })

  test('few incidents measure no delay', () => {
    assert.equal(reportingDelayFrom([49]), null)
  })
})
