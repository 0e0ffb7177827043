import { FEWEST_YEARS, GAP, LEAST_IN_SEASON, TREND_METHODS, type TrendUnit } from './trend-method.ts'

/**
 * Counts the whole years before a period for which the feed has records, without a gap in between.
 * A quiet place has periods without incidents; a feed of a whole country has none for months only
 * if nothing was recorded.
 */
export function yearsOnRecord(feedTotals: ArrayLike<number>, sameTimes: readonly number[], unit: TrendUnit): number {
  const { halfWindow } = TREND_METHODS[unit]
  let years = 0
  while (years + 1 < sameTimes.length) {
    const from = sameTimes[years + 1]! - halfWindow
    const to = sameTimes[years]! - halfWindow
    if (from < 0 || longestGap(feedTotals, from, to) >= GAP[unit]) break
    years++
  }
  return years
}

/** Says why there is too little history to expect anything; null if there is enough. */
export function historyProblem(
  counts: ArrayLike<number>,
  sameTimes: readonly number[],
  years: number,
  unit: TrendUnit,
): string | null {
  if (years < FEWEST_YEARS)
    return `The feed has records of ${years} whole year${years === 1 ? '' : 's'} before this without a gap; ${FEWEST_YEARS} are needed.`
  const { halfWindow } = TREND_METHODS[unit]
  let inSeason = 0
  for (const centre of sameTimes.slice(1, years + 1))
    for (let index = centre - halfWindow; index <= centre + halfWindow; index++) inSeason += counts[index] ?? 0
  if (inSeason < LEAST_IN_SEASON)
    return `The same ${unit}s of the ${years} years before, and those around them, have ${inSeason} incident${inSeason === 1 ? '' : 's'}; ${LEAST_IN_SEASON} are needed.`
  return null
}

/** The most periods in a row without an incident. */
function longestGap(totals: ArrayLike<number>, from: number, to: number): number {
  let longest = 0
  let current = 0
  for (let index = from; index < to; index++) {
    current = totals[index]! > 0 ? 0 : current + 1
    longest = Math.max(longest, current)
  }
  return longest
}
