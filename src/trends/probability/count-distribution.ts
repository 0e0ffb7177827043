import { incompleteBeta } from './beta.ts'
import { incompleteGamma } from './gamma.ts'
import { normalQuantile } from './normal.ts'

/** Slack for rounding, as R has it: a probability that equals the wanted one counts as reached. */
const FUZZ = 64 * Number.EPSILON

/**
 * Counts with this mean and a variance of `dispersion` times the mean: Poisson's distribution for
 * a dispersion of 1, a negative binomial one above it.
 */
export interface CountDistribution {
  readonly mean: number
  readonly dispersion: number
}

/** The probability of this count or more. */
export function upperTail({ mean, dispersion }: CountDistribution, count: number): number {
  if (count <= 0) return 1
  if (dispersion <= 1) return incompleteGamma(count, mean).lower
  return incompleteBeta(1 - 1 / dispersion, count, mean / (dispersion - 1))
}

/** The probability of this count or fewer. */
function lowerTail({ mean, dispersion }: CountDistribution, count: number): number {
  if (count < 0) return 0
  if (dispersion <= 1) return incompleteGamma(count + 1, mean).upper
  return incompleteBeta(1 / dispersion, mean / (dispersion - 1), count + 1)
}

/** The smallest count that is not exceeded with at least this probability. */
export function countQuantile(distribution: CountDistribution, probability: number): number {
  const { mean, dispersion } = distribution
  const wanted = probability * (1 - FUZZ)
  const isReached = (count: number) => lowerTail(distribution, count) >= wanted
  const guess = mean + normalQuantile(probability) * Math.sqrt(mean * dispersion)
  let high = Math.max(0, Math.round(guess))
  let step = 1
  while (!isReached(high)) {
    high += step
    step *= 2
  }
  let low = high
  for (step = 1; low >= 0 && isReached(low); step *= 2) low -= step
  // `low` is not reached (or is below 0), `high` is.
  low = Math.max(-1, low)
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isReached(middle)) high = middle
    else low = middle
  }
  return high
}
