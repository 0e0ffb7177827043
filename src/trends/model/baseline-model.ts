import { studentTwoSided } from '../probability/student.ts'
import { anscombeResiduals, outbreakWeights } from './earlier-outbreaks.ts'
import { fitQuasiPoisson, type Observations, type QuasiPoissonFit } from './quasi-poisson.ts'

export interface BaselineOptions {
  /** Counts with a larger Anscombe residual are down-weighted. */
  readonly residualThreshold: number
  /** A trend is kept if the probability of so steep a one by chance is below this. */
  readonly trendSignificance: number
  /** Years of history; a trend needs at least three. */
  readonly years: number
}

/** The time and the level of the season that are predicted. */
export interface Target {
  readonly time: number
  readonly level: number
}

export interface Expectation {
  readonly mean: number
  /** The standard error of the mean. */
  readonly standardError: number
  /** The variance of counts is this many times their mean; at least 1. */
  readonly dispersion: number
  readonly hasTrend: boolean
}

const YEARS_FOR_TREND = 3

/** Returns what the baseline leads to expect at the target; null if no model converges. */
export function expectationFrom(
  observations: Observations,
  target: Target,
  options: BaselineOptions,
): Expectation | null {
  const sloping = fitReweighted(observations, true, options.residualThreshold)
  if (sloping !== null && sloping.fit.slope !== null) {
    const { mean } = predictMean(sloping.fit, target)
    const isKept =
      options.years >= YEARS_FOR_TREND &&
      trendProbability(sloping.fit) < options.trendSignificance &&
      mean <= largest(observations.counts)
    if (isKept) return expectationOf(sloping, target, true)
  }
  const flat = fitReweighted(observations, false, options.residualThreshold)
  return flat && expectationOf(flat, target, false)
}

interface ReweightedFit {
  readonly fit: QuasiPoissonFit
  readonly dispersion: number
}

/** Falls back to a model without a trend if the one with it does not converge. */
function fitReweighted(observations: Observations, withTrend: boolean, threshold: number): ReweightedFit | null {
  const first = fitQuasiPoisson(observations, withTrend)
  if (!first.converged) return withTrend ? fitReweighted(observations, false, threshold) : null
  const residuals = anscombeResiduals(observations, first, Math.max(1, first.dispersion))
  const fit = fitQuasiPoisson(observations, withTrend, outbreakWeights(residuals, threshold))
  return { fit, dispersion: Math.max(1, fit.dispersion) }
}

function predictMean(fit: QuasiPoissonFit, { time, level }: Target) {
  const { logMean, variance } = fit.predict(time, level)
  return { mean: Math.max(Math.exp(logMean), Number.EPSILON), variance }
}

function expectationOf({ fit, dispersion }: ReweightedFit, target: Target, hasTrend: boolean): Expectation {
  const { mean, variance } = predictMean(fit, target)
  return { mean, standardError: mean * Math.sqrt(dispersion * variance), dispersion, hasTrend }
}

/** The probability of a slope at least as steep if there were none. */
function trendProbability({ slope, slopeVariance, dispersion, degreesOfFreedom }: QuasiPoissonFit): number {
  return studentTwoSided(slope! / Math.sqrt(dispersion * slopeVariance), degreesOfFreedom)
}

function largest(counts: ArrayLike<number>): number {
  let most = 0
  for (let index = 0; index < counts.length; index++) most = Math.max(most, counts[index]!)
  return most
}
