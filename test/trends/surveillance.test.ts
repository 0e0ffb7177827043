import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { type Comparison, compareWithHistory, type Method } from '../../src/trends/method.ts'
import { sameTimesByNumber, sameWeeks } from '../../src/trends/model/same-times.ts'

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

/** Where a falling trend leads to nothing, R has 1e-31 and the like. */
const ZERO = 1e-15

function closeTo(actual: number, wanted: number, relative: number, what: string): void {
  const difference = Math.abs(actual - wanted)
  assert.ok(difference <= relative * Math.abs(wanted) + ZERO, `${what}: ${actual} instead of ${wanted}`)
}
