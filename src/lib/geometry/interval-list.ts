/** Intervals of numbers, to find those that a number may lie in without looking at all of them. */
export class IntervalList {
  /** What each interval stands for, in the order of the lower ends. */
  readonly items: Int32Array
  readonly #lows: Float64Array
  readonly #highs: Float64Array
  /** The highest upper end up to each interval. */
  readonly #highest: Float64Array

  constructor(lows: readonly number[], highs: readonly number[], items: readonly number[]) {
    const order = Int32Array.from(lows.keys()).sort((one, other) => lows[one]! - lows[other]!)
    this.items = order.map((at) => items[at]!)
    this.#lows = Float64Array.from(order, (at) => lows[at]!)
    this.#highs = Float64Array.from(order, (at) => highs[at]!)
    let highest = Number.NEGATIVE_INFINITY
    this.#highest = this.#highs.map((high) => {
      highest = Math.max(highest, high)
      return highest
    })
  }

  /** The number of intervals that begin at `value` or below it; they come first. */
  countFrom(value: number): number {
    let low = 0
    let high = this.#lows.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#lows[middle]! <= value) low = middle + 1
      else high = middle
    }
    return low
  }

  /** The position before `end` of the next interval that reaches `value`; -1 if there is none. */
  nextReaching(value: number, end: number): number {
    for (let at = end - 1; at >= 0 && this.#highest[at]! >= value; at--) if (this.#highs[at]! >= value) return at
    return -1
  }
}
