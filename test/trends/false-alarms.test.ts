import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Random, seededRandom } from '../../src/lib/random.ts'
import { falseDiscoveryControl, MOST_YEARS, TREND_METHODS, type TrendUnit } from '../../src/trends/find-trends.ts'
import { compareWithHistory, sameTimesByNumber } from '../../src/trends/method.ts'
import { type CountDistribution, upperTail } from '../../src/trends/probability.ts'

const PER_YEAR: Readonly<Record<TrendUnit, number>> = { week: 52, month: 12 }
const SERIES = 1000

/** Draws counts by the inverse of their distribution. */
function counter(distribution: CountDistribution, random: Random): () => number {
  const shares: number[] = []
  do shares.push(1 - upperTail(distribution, shares.length + 1))
  while (shares.at(-1)! < 1 - 1e-9)
  return () => {
    const drawn = random()
    const found = shares.findIndex((share) => share > drawn)
    return found === -1 ? shares.length - 1 : found
  }
}

/**
 * The rate of false alarms on series that never change: the mean, over the series, of the
 * probability that a count exceeds the bound found for it. That is the share of alarms without the
 * chance in the last count, which would hide 20 % among 1,000 series.
 */
function falseAlarmRate(unit: TrendUnit, distribution: CountDistribution, series: number, random: Random): number {
  const draw = counter(distribution, random)
  const tested = PER_YEAR[unit] * MOST_YEARS + 10
  let sum = 0
  for (let number = 0; number < series; number++) {
    const counts = Array.from({ length: tested + 1 }, draw)
    const sameTimes = sameTimesByNumber(tested, PER_YEAR[unit], MOST_YEARS)
    const found = compareWithHistory(counts, sameTimes, TREND_METHODS[unit])
    assert.ok(found)
    sum += upperTail(distribution, found.upper + 1)
  }
  return sum / series
}

describe('false alarms on 1,000 series that never change', () => {
  for (const unit of ['week', 'month'] as const) {
    const promised = TREND_METHODS[unit].alpha

    test(`by ${unit}: the promised rate, 20 % more or less, if counts are not small`, (context) => {
      const random = seededRandom(20_261_117)
      const kinds = [
        { mean: 10, dispersion: 2 },
        { mean: 20, dispersion: 1 },
        { mean: 40, dispersion: 3 },
        { mean: 80, dispersion: 5 },
      ]
      const rates = kinds.map((kind) => falseAlarmRate(unit, kind, SERIES / kinds.length, random))
      const rate = rates.reduce((sum, one) => sum + one, 0) / rates.length
      context.diagnostic(`${(rate * 100).toFixed(2)} % (${rates.map((one) => (one * 100).toFixed(2)).join(', ')})`)
      assert.ok(Math.abs(rate - promised) <= 0.2 * promised, `${rate} instead of ${promised}`)
    })

    test(`by ${unit}: never more than that if counts are small, where bounds are whole numbers`, (context) => {
      const random = seededRandom(17)
      for (const kind of [
        { mean: 0.5, dispersion: 1 },
        { mean: 1, dispersion: 1.5 },
        { mean: 3, dispersion: 1.5 },
      ]) {
        const rate = falseAlarmRate(unit, kind, 150, random)
        context.diagnostic(`${kind.mean}: ${(rate * 100).toFixed(2)} %`)
        assert.ok(rate <= 1.2 * promised, `${rate} for a mean of ${kind.mean}`)
      }
    })
  }
})

describe('many groups at once', () => {
  test("Benjamini and Hochberg's example: 4 of 15 are believed", () => {
    const probabilities = [
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.324, 0.4262, 0.5719, 0.6528, 0.759, 1,
    ]
    const believed = falseDiscoveryControl(probabilities, 0.05)
    assert.deepEqual(
      believed,
      probabilities.map((_, index) => index < 4),
    )
  })

  test('the order does not matter, and none of nothing is believed', () => {
    assert.deepEqual(falseDiscoveryControl([0.9, 0.01, 0.04], 0.05), [false, true, false])
    assert.deepEqual(falseDiscoveryControl([0.06], 0.05), [false])
    assert.deepEqual(falseDiscoveryControl([], 0.05), [])
  })

  test('one that is worse than its own limit is believed with better ones behind it', () => {
    assert.deepEqual(falseDiscoveryControl([0.03, 0.04, 0.045], 0.05), [true, true, true])
  })
})
