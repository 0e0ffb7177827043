import { type Comparison, compareWithHistory, type Method } from './method.ts'
import type { Baseline } from './model/season-levels.ts'

/**
 * Remembers the comparisons of a series for as long as the series itself is kept. Counts must not
 * change in place: whoever follows events replaces the series that an event changes, so that of 774
 * LGAs only one is compared again.
 */
export class ComparisonMemo {
  readonly #known = new WeakMap<object, Map<string, Comparison | null>>()

  /** As `compareWithHistory`, for one method. */
  compare(
    counts: ArrayLike<number> & object,
    sameTimes: readonly number[],
    method: Method,
    baseline: Baseline,
  ): Comparison | null {
    const ofSeries = this.#known.get(counts) ?? new Map<string, Comparison | null>()
    this.#known.set(counts, ofSeries)
    const times = sameTimes.join()
    const known = ofSeries.get(times)
    if (known !== undefined) return known
    const comparison = compareWithHistory(counts, sameTimes, method, baseline)
    ofSeries.set(times, comparison)
    return comparison
  }
}
