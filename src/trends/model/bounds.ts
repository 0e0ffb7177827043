import { type CountDistribution, countQuantile, upperTail } from '../probability/count-distribution.ts'
import { normalQuantile, normalUpperTail } from '../probability/normal.ts'
import type { Expectation } from './baseline-model.ts'

export interface Bounds {
  readonly lower: number
  readonly upper: number
  /** The probability of the observed count or more, if nothing has changed. */
  readonly probability: number
}

/**
 * Farrington's bounds: counts to the power of 2/3 are nearly normal. `alpha` is the probability on
 * each side.
 */
export function powerBounds(expected: Omit<Expectation, 'hasTrend'>, observed: number, alpha: number): Bounds {
  const { mean, standardError, dispersion } = expected
  const centre = mean ** (2 / 3)
  const spread = Math.sqrt((4 / 9) * Math.cbrt(mean) * (dispersion + standardError ** 2 / mean))
  const distance = normalQuantile(1 - alpha) * spread
  return {
    lower: Math.max(0, centre - distance) ** 1.5,
    upper: (centre + distance) ** 1.5,
    probability: normalUpperTail((observed ** (2 / 3) - centre) / spread),
  }
}

/** Noufaily's bounds: quantiles of the distribution of counts itself. */
export function countBounds(distribution: CountDistribution, observed: number, alpha: number): Bounds {
  return {
    lower: countQuantile(distribution, alpha),
    upper: countQuantile(distribution, 1 - alpha),
    probability: upperTail(distribution, observed),
  }
}
