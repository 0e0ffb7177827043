import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { type Random, seededRandom } from '../../src/lib/random.ts'
import { falseDiscoveryControl, MOST_YEARS, TREND_METHODS, type TrendUnit } from '../../src/trends/find-trends.ts'
import {
  type Comparison,
  compareWithHistory,
  countBounds,
  type Method,
  powerBounds,
  sameTimesByNumber,
  sameWeeks,
} from '../../src/trends/method.ts'
import {
  type CountDistribution,
  countQuantile,
  normalQuantile,
  normalUpperTail,
  studentTwoSided,
  upperTail,
} from '../../src/trends/probability.ts'

interface Found {
  /** The index of the first count that was tested. */
  readonly first: number
  readonly alarms: readonly number[]
  readonly bounds: readonly number[]
}

interface FoundFlexibly extends Found {
  readonly levels: number
  readonly excluded: number
  readonly expected: readonly number[]
  readonly probabilities: readonly number[]
}

interface Series {
  readonly name: string
  /** The date of the first week; null if a year has 52 weeks and no dates. */
  readonly starts: string | null
  readonly counts: readonly number[]
  readonly farrington: Found
  readonly flexible: readonly FoundFlexibly[]
}

/** Made by make-fixtures.R, beside it. */
const fixture = new URL(process.env.TRENDS_FIXTURE ?? 'fixtures/surveillance.json', import.meta.url)
const { series } = JSON.parse(readFileSync(fixture, 'utf8')) as { series: Series[] }

const YEARS = 5

/**
 * As `algo.farrington` has them: 5 % on both sides together, and a residual above 1 is an outbreak.
 */
const FARRINGTON: Method = {
  bounds: 'power',
  alpha: 0.025,
  halfWindow: 3,
  levelCount: 1,
  recentExcluded: 3,
  residualThreshold: 1,
  trendSignificance: 0.05,
}

/** As `farringtonFlexible` with `thresholdMethod = "nbPlugin"` and `pThresholdTrend = 1`. */
const FLEXIBLE: Method = { ...FARRINGTON, bounds: 'count', alpha: 0.05, residualThreshold: 2.58, trendSignificance: 1 }

describe("figures equal to those of R's surveillance", () => {
  for (const { name, starts, counts, farrington, flexible } of series) {
    const compare = (index: number, method: Method): Comparison => {
      const sameTimes =
        starts === null ? sameTimesByNumber(index, 52, YEARS) : sameWeeks(index, Date.parse(starts), YEARS)
      const found = compareWithHistory(counts, sameTimes, method)
      assert.ok(found, `no model for the count ${index}`)
      return found
    }

    test(`${name}: algo.farrington`, () => {
      for (const [offset, bound] of farrington.bounds.entries()) {
        const index = farrington.first + offset
        const found = compare(index, FARRINGTON)
        closeTo(found.upper, bound, 1e-6, `bound of ${index}`)
        assert.equal(counts[index]! > found.upper, farrington.alarms[offset] === 1, `alarm of ${index}`)
      }
    })

    for (const { levels, excluded, first, alarms, bounds, expected, probabilities } of flexible)
      test(`${name}: farringtonFlexible with ${levels} season levels`, () => {
        for (const [offset, bound] of bounds.entries()) {
          const index = first + offset
          const found = compare(index, { ...FLEXIBLE, levelCount: levels, recentExcluded: excluded })
          closeTo(found.expected.mean, expected[offset]!, 1e-6, `expected count of ${index}`)
          assert.equal(found.upper, bound, `bound of ${index}`)
          closeTo(found.probability, probabilities[offset]!, 1e-5, `probability of ${index}`)
          assert.equal(counts[index]! > found.upper, alarms[offset] === 1, `alarm of ${index}`)
        }
      })
  }
})

/** R has 1e-31 and the like for a falling trend that leads to nothing. */
const ZERO = 1e-15

function closeTo(actual: number, wanted: number, relative: number, what: string): void {
  const difference = Math.abs(actual - wanted)
  assert.ok(difference <= relative * Math.abs(wanted) + ZERO, `${what}: ${actual} instead of ${wanted}`)
}

function near(actual: number, expected: number, tolerance: number): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} instead of ${expected}`)
}

describe('known answers', () => {
  test("Farrington's bound by the power of 2/3", () => {
    const { upper, probability } = powerBounds({ mean: 5, standardError: 0.2, dispersion: 1 }, 8, 0.05)
    near(upper, 9.1154825, 5e-8)
    near(probability, 0.1094727, 5e-8)
  })

  test("Noufaily's negative binomial bound", () => {
    const { upper, probability } = countBounds({ mean: 5, dispersion: 1.5 }, 11, 0.05)
    assert.equal(upper, 10)
    near(probability, 0.03763657, 5e-9)
  })

  test("R's qnorm, pnorm, pt and ppois", () => {
    near(normalQuantile(0.975), 1.959963984540054, 1e-14)
    near(normalQuantile(1e-10), -6.361340902404056, 1e-13)
    near(normalUpperTail(1.5), 0.06680720126885807, 1e-15)
    near(normalUpperTail(-3), 0.9986501019683699, 1e-15)
    near(studentTwoSided(2, 10), 0.07338803477074037, 1e-14)
    near(upperTail({ mean: 3.5, dispersion: 1 }, 7), 0.06528809702895369, 1e-14)
  })
})

describe('quantiles of counts', () => {
  test('are the smallest counts that are not exceeded with the probability', () => {
    for (const mean of [0.01, 0.4, 3, 77, 4000, 250_000])
      for (const dispersion of [1, 1.001, 2.5, 40])
        for (const probability of [0.005, 0.05, 0.5, 0.95, 0.995]) {
          const found = countQuantile({ mean, dispersion }, probability)
          const exceeded = upperTail({ mean, dispersion }, found + 1)
          assert.ok(exceeded <= 1 - probability + 1e-9, `${found} is too small for ${mean}, ${dispersion}`)
          if (found === 0) continue
          assert.ok(upperTail({ mean, dispersion }, found) > 1 - probability - 1e-9, `${found} is too large`)
        }
  })
})

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
