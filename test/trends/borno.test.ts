import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'csv-parse/sync'
import { periodsBetween } from '../../src/lib/calendar.ts'
import { runToEnd } from '../../src/lib/steps.ts'
import { findTrends } from '../../src/trends/find-trends.ts'

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
