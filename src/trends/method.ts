import { type Expectation, expectationFrom } from './model/baseline-model.ts'
import { type Bounds, countBounds, powerBounds } from './model/bounds.ts'
import { type Baseline, chooseBaseline, type SeasonOptions } from './model/season-levels.ts'

/** How a count is compared with those of earlier years. */
export interface Method extends SeasonOptions {
  /**
   * The distribution of counts around the expected one: Farrington's (1996) by the power of 2/3,
   * Noufaily's (2013) by negative binomial quantiles, or those with the uncertainty of the
   * expected count itself in their variance.
   */
  readonly bounds: 'power' | 'count' | 'count with uncertainty'
  /** The probability that a count exceeds its upper bound though nothing has changed. */
  readonly alpha: number
  /** Counts with a larger Anscombe residual are down-weighted. */
  readonly residualThreshold: number
  /** A trend is kept if the probability of so steep a one by chance is below this. */
  readonly trendSignificance: number
}

export interface Comparison extends Bounds {
  readonly expected: Expectation
}

/**
 * Compares a count of the series with what its history leads to expect; null if no model fits.
 * `sameTimes` has the index of the count, then the same period one, two … years earlier. The
 * baseline is that of `chooseBaseline`; series that share a calendar can share it.
 */
export function compareWithHistory(
  counts: ArrayLike<number>,
  sameTimes: readonly number[],
  method: Method,
  baseline: Baseline = chooseBaseline(sameTimes, method),
): Comparison | null {
  const { indexes, levels, levelCount, targetLevel } = baseline
  const tested = sameTimes[0]!
  const observations = { counts: indexes.map((index) => counts[index]!), times: indexes, levels, levelCount }
  const target = { time: tested, level: targetLevel }
  const expected = expectationFrom(observations, target, { ...method, years: sameTimes.length - 1 })
  return expected && { expected, ...boundsFor(expected, counts[tested]!, method) }
}

function boundsFor(expected: Expectation, observed: number, { bounds, alpha }: Method): Bounds {
  const { mean, standardError, dispersion } = expected
  switch (bounds) {
    case 'power':
      return powerBounds(expected, observed, alpha)
    case 'count':
      return countBounds({ mean, dispersion }, observed, alpha)
    case 'count with uncertainty':
      return countBounds({ mean, dispersion: dispersion + standardError ** 2 / mean }, observed, alpha)
  }
}
