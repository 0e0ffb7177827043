/**
 * The counts that a model is fitted to. Every observation belongs to a level of the season, and
 * each level has its own mean; with a trend, all of them change by the same factor per unit of
 * time.
 */
export interface Observations {
  readonly counts: ArrayLike<number>
  readonly times: ArrayLike<number>
  readonly levels: ArrayLike<number>
  readonly levelCount: number
}

export interface QuasiPoissonFit {
  readonly converged: boolean
  readonly means: Float64Array
  /** The change of the logarithm of the mean per unit of time; null for a model without a trend. */
  readonly slope: number | null
  /** Pearson's statistic per degree of freedom; may be below 1. */
  readonly dispersion: number
  readonly degreesOfFreedom: number
  /** The weight of each observation in its own fitted value, from 0 to 1. */
  readonly hatValues: Float64Array
  /** The variance of the slope for a dispersion of 1. */
  readonly slopeVariance: number
  /** The logarithm of the mean at a time in a level, and its variance for a dispersion of 1. */
  predict(time: number, level: number): { readonly logMean: number; readonly variance: number }
}

/** As R's `glm`: the same start and the same criterion, so that the same series converge. */
const MAX_ITERATIONS = 25
const TOLERANCE = 1e-8

/**
 * Fits a quasi-Poisson model with a logarithmic link by iteratively reweighted least squares.
 * Levels have no intercept in common, so each step solves one slope within the levels and then one
 * mean for each: time linear in the observations, whatever the number of levels.
 */
export function fitQuasiPoisson(
  observations: Observations,
  withTrend: boolean,
  weights: ArrayLike<number> | null = null,
): QuasiPoissonFit {
  const { counts, times, levels, levelCount } = observations
  const size = counts.length
  const means = new Float64Array(size)
  const logMeans = new Float64Array(size)
  const working = new Float64Array(size)
  const values = new Float64Array(size)
  for (let index = 0; index < size; index++) {
    means[index] = counts[index]! + 0.1
    logMeans[index] = Math.log(means[index]!)
  }
  const regression = new LevelRegression(times, levels, levelCount, withTrend)
  const fixedDeviance = partOfDeviance(counts, weights)
  let deviance = fixedDeviance + devianceOf(counts, means, logMeans, weights)
  let converged = false
  for (let iteration = 0; iteration < MAX_ITERATIONS && !converged; iteration++) {
    for (let index = 0; index < size; index++) {
      const mean = means[index]!
      working[index] = weights === null ? mean : weights[index]! * mean
      values[index] = logMeans[index]! + (counts[index]! - mean) / mean
    }
    regression.solve(working, values)
    for (let index = 0; index < size; index++) {
      const logMean = regression.valueAt(times[index]!, levels[index]!)
      logMeans[index] = logMean
      means[index] = Math.max(Math.exp(logMean), Number.EPSILON)
    }
    const before = deviance
    deviance = fixedDeviance + devianceOf(counts, means, logMeans, weights)
    if (!Number.isFinite(deviance)) break
    converged = Math.abs(deviance - before) / (Math.abs(deviance) + 0.1) < TOLERANCE
  }
  const degreesOfFreedom = size - levelCount - (withTrend ? 1 : 0)
  let pearson = 0
  for (let index = 0; index < size; index++)
    pearson += working[index]! * ((counts[index]! - means[index]!) / means[index]!) ** 2
  return {
    converged,
    means,
    slope: withTrend ? regression.slope : null,
    dispersion: pearson / degreesOfFreedom,
    degreesOfFreedom,
    hatValues: working.map((weight, index) => weight * regression.varianceAt(times[index]!, levels[index]!)),
    slopeVariance: withTrend ? 1 / regression.timeSquares : 0,
    predict: (time, level) => ({
      logMean: regression.valueAt(time, level),
      variance: regression.varianceAt(time, level),
    }),
  }
}

/**
 * The part that the deviance takes from the counts alone, computed once: logarithms cost most of a
 * fit.
 */
function partOfDeviance(counts: ArrayLike<number>, weights: ArrayLike<number> | null): number {
  let sum = 0
  for (let index = 0; index < counts.length; index++) {
    const count = counts[index]!
    if (count > 0) sum += 2 * (weights === null ? 1 : weights[index]!) * count * (Math.log(count) - 1)
  }
  return sum
}

function devianceOf(
  counts: ArrayLike<number>,
  means: Float64Array,
  logMeans: Float64Array,
  weights: ArrayLike<number> | null,
): number {
  let sum = 0
  for (let index = 0; index < means.length; index++) {
    const part = means[index]! - counts[index]! * logMeans[index]!
    sum += 2 * (weights === null ? 1 : weights[index]!) * part
  }
  return sum
}

/** Weighted least squares with a mean for each level and, if wanted, one slope over time. */
class LevelRegression {
  slope = 0
  /** The weighted sum of squares of time around the mean of its level. */
  timeSquares = 0
  readonly #times: ArrayLike<number>
  readonly #levels: ArrayLike<number>
  readonly #withTrend: boolean
  readonly #weightSums: Float64Array
  readonly #meanTimes: Float64Array
  readonly #meanValues: Float64Array

  constructor(times: ArrayLike<number>, levels: ArrayLike<number>, levelCount: number, withTrend: boolean) {
    this.#times = times
    this.#levels = levels
    this.#withTrend = withTrend
    this.#weightSums = new Float64Array(levelCount)
    this.#meanTimes = new Float64Array(levelCount)
    this.#meanValues = new Float64Array(levelCount)
  }

  solve(weights: Float64Array, values: Float64Array): void {
    const [times, levels] = [this.#times, this.#levels]
    const [sums, meanTimes, meanValues] = [this.#weightSums.fill(0), this.#meanTimes.fill(0), this.#meanValues.fill(0)]
    for (let index = 0; index < weights.length; index++) {
      const level = levels[index]!
      const weight = weights[index]!
      sums[level]! += weight
      meanTimes[level]! += weight * times[index]!
      meanValues[level]! += weight * values[index]!
    }
    for (let level = 0; level < sums.length; level++) {
      meanTimes[level]! /= sums[level]!
      meanValues[level]! /= sums[level]!
    }
    if (!this.#withTrend) return
    let products = 0
    let squares = 0
    for (let index = 0; index < weights.length; index++) {
      const level = levels[index]!
      const time = times[index]! - meanTimes[level]!
      const weighted = weights[index]! * time
      squares += weighted * time
      products += weighted * (values[index]! - meanValues[level]!)
    }
    this.timeSquares = squares
    this.slope = products / squares
  }

  valueAt(time: number, level: number): number {
    return this.#meanValues[level]! + this.slope * (time - this.#meanTimes[level]!)
  }

  /** The variance of the value for weights that are inverse variances. */
  varianceAt(time: number, level: number): number {
    const ofTrend = this.#withTrend ? (time - this.#meanTimes[level]!) ** 2 / this.timeSquares : 0
    return 1 / this.#weightSums[level]! + ofTrend
  }
}
