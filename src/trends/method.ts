import {
  type CountDistribution,
  countQuantile,
  normalQuantile,
  normalUpperTail,
  studentTwoSided,
  upperTail,
} from './probability.ts'
import { fitQuasiPoisson, type Observations, type QuasiPoissonFit } from './quasi-poisson.ts'

/** The comparison of a count with those of earlier years. */
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

/** A part of a series as a baseline: which indexes, and the level of the season of each. */
export interface Baseline {
  readonly indexes: readonly number[]
  readonly levels: readonly number[]
  readonly levelCount: number
  /** The level of the index that is tested. */
  readonly targetLevel: number
}

interface SeasonOptions {
  /** Periods before and after the same period of an earlier year that belong to its season. */
  readonly halfWindow: number
  /** 1 compares with the same season of earlier years only; more use the whole years. */
  readonly levelCount: number
  /** Periods before the tested one that are left out: what is tested may have begun then. */
  readonly recentExcluded: number
}

/**
 * Chooses the baseline of an index. `sameTimes` has the index itself and the same period one, two …
 * years earlier. With several levels, the time between two seasons is divided into equal parts,
 * the same in each year (Noufaily 2013).
 */
export function chooseBaseline(sameTimes: readonly number[], options: SeasonOptions): Baseline {
  const { halfWindow, levelCount, recentExcluded } = options
  const tested = sameTimes[0]!
  const targetLevel = levelCount - 1
  const levelAt = new Map<number, number>()
  for (let year = 1; year < sameTimes.length; year++) {
    const centre = sameTimes[year]!
    for (let index = centre - halfWindow; index <= centre + halfWindow; index++) levelAt.set(index, targetLevel)
    const next = sameTimes[year - 1]! - halfWindow
    addBetween(levelAt, centre + halfWindow + 1, next, levelCount - 1)
  }
  const indexes = [...levelAt.keys()]
    .filter((index) => index >= 0 && index < tested - recentExcluded)
    .sort((one, other) => one - other)
  return { indexes, levels: indexes.map((index) => levelAt.get(index)!), levelCount, targetLevel }
}

/** Divides the indexes from `start` up to `end`; the first parts take what is left over. */
function addBetween(levelAt: Map<number, number>, start: number, end: number, parts: number): void {
  if (parts === 0) return
  const length = Math.floor((end - start) / parts)
  const longer = (end - start) % parts
  let index = start
  for (let part = 0; part < parts; part++)
    for (const stop = index + length + (part < longer ? 1 : 0); index < stop; index++) levelAt.set(index, part)
}

const WEEK = 7 * 24 * 3_600_000

/** Returns the index and the same period of each earlier year, for series with so many a year. */
export function sameTimesByNumber(index: number, periodsPerYear: number, years: number): number[] {
  return Array.from({ length: years + 1 }, (_, year) => index - year * periodsPerYear)
}

/**
 * The same for weeks, of which a year has 52 or 53: the week that begins nearest to the same date
 * of the earlier year. `firstStart` is when the week with the index 0 begins.
 */
export function sameWeeks(index: number, firstStart: number, years: number): number[] {
  const start = new Date(firstStart + index * WEEK)
  return Array.from({ length: years + 1 }, (_, year) => {
    const earlier = new Date(start)
    earlier.setUTCFullYear(start.getUTCFullYear() - year)
    return Math.round((earlier.getTime() - firstStart) / WEEK)
  })
}

/** `years` of history; a trend needs at least three. */
type BaselineOptions = Pick<Method, 'residualThreshold' | 'trendSignificance'> & { readonly years: number }

/** The time and the level of the season that are predicted. */
export interface Target {
  readonly time: number
  readonly level: number
}

interface Expectation {
  readonly mean: number
  /** The standard error of the mean. */
  readonly standardError: number
  /** The variance of counts is this many times their mean; at least 1. */
  readonly dispersion: number
  readonly hasTrend: boolean
}

const YEARS_FOR_TREND = 3

/** Returns what the baseline leads to expect at the target; null if no model converges. */
function expectationFrom(observations: Observations, target: Target, options: BaselineOptions): Expectation | null {
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

/**
 * Anscombe's residuals, standardised: about normal for counts that follow the model. An earlier
 * outbreak has a large one.
 */
function anscombeResiduals(
  { counts }: Observations,
  { means, hatValues }: QuasiPoissonFit,
  dispersion: number,
): Float64Array {
  return means.map((mean, index) => {
    const residual = 1.5 * (counts[index]! ** (2 / 3) * mean ** (-1 / 6) - Math.sqrt(mean))
    return residual / Math.sqrt(dispersion * (1 - hatValues[index]!))
  })
}

/**
 * Gives counts with a residual above the threshold a weight of residual⁻², so that earlier
 * outbreaks raise the baseline less. The weights add up to the number of counts.
 */
function outbreakWeights(residuals: Float64Array, threshold: number): Float64Array {
  const raw = residuals.map((residual) => (residual > threshold ? residual ** -2 : 1))
  const scale = raw.length / raw.reduce((sum, weight) => sum + weight, 0)
  return raw.map((weight) => weight * scale)
}

interface Bounds {
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
