import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { describe, suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { periodsBetween } from '../../src/lib/calendar.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import {
  ComparisonMemo,
  findTrends,
  reportingDelayFrom,
  TREND_METHODS,
  type TrendInput,
  type TrendUnit,
  trendSentence,
} from '../../src/trends/find-trends.ts'
import { chooseBaseline, compareWithHistory, sameTimesByNumber } from '../../src/trends/method.ts'

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

test('a series is compared once for each time and number of years', () => {
  const memo = new ComparisonMemo()
  const method = TREND_METHODS.month
  const counts = Uint32Array.from({ length: 80 }, (_, month) => 5 + ((month * 7) % 4))
  const compare = (of: Uint32Array, index: number, years: number) => {
    const times = sameTimesByNumber(index, 12, years)
    return { found: memo.compare(of, times, method, chooseBaseline(times, method)), times }
  }
  const first = compare(counts, 79, 5)
  assert.deepEqual(first.found, compareWithHistory(counts, first.times, method))
  assert.equal(compare(counts, 79, 5).found, first.found)
  for (const [index, years] of [
    [78, 5],
    [79, 4],
  ] as const) {
    const other = compare(counts, index, years)
    assert.deepEqual(other.found, compareWithHistory(counts, other.times, method))
    assert.notDeepEqual(other.found, first.found)
  }
  const changed = counts.slice()
  changed[79]! += 20
  assert.ok(compare(changed, 79, 5).found!.probability < first.found!.probability)
})

const path = fileURLToPath(new URL('../../../shared/data/ucdp_ged_nigeria_1990_2019.csv', import.meta.url))
const absent = existsSync(path) ? false : `${path} is absent: the trends of Borno go untested`

interface Event {
  readonly adm_1: string
  readonly date_start: string
}

/** Decision 57 says what happened in these months. */
const RAISED = [
  ...['2011-07', '2011-08', '2011-09', '2011-10', '2011-11'],
  ...['2012-01', '2012-02', '2012-03', '2012-04', '2012-05', '2012-07', '2012-08', '2012-09', '2012-11'],
  ...['2013-09', '2013-10', '2013-11'],
  ...['2014-03', '2014-04', '2014-05', '2014-06', '2014-07', '2014-08', '2014-09'],
  ...['2015-02', '2015-07'],
]

suite('Borno by month, by UCDP', { skip: absent }, () => {
  test('is higher than usual in the months of the insurgency that decision 57 names, and in no others', () => {
    const events = (parse(readFileSync(path), { columns: true }) as Event[]).slice(1)
    const periods = periodsBetween('month', Date.parse('1990-01-01'), Date.parse('2019-12-31'))
    const countBy = (isCounted: (event: Event) => boolean) => {
      const counted = events.filter(isCounted).map(({ date_start }) => date_start.slice(0, 7))
      return periods.map(({ name }) => counted.filter((month) => month === name).length)
    }
    const borno = countBy(({ adm_1 }) => adm_1 === 'Borno state')
    const [found] = runToEnd(
      findTrends({
        unit: 'month',
        periods,
        tested: 20 * 12,
        groups: [{ key: 'NG-BO', counts: borno }],
        feedTotals: countBy(() => true),
        delay: null,
        now: Date.parse('2020-06-01'),
      }),
    )
    const raised = found!.periods.filter(({ verdict }) => verdict === 'higher').map(({ name }) => name)
    assert.deepEqual(raised, RAISED)
  })
})
