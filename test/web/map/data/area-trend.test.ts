import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type TrendsAnswer, trendIn, trendQuery } from '../../../../web/map/data/area-trend.ts'
import { readView } from '../../../../web/map/view/view.ts'

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
