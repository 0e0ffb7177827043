/** Weighted least squares with a mean for each level and, if wanted, one slope over time. */
export class LevelRegression {
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
