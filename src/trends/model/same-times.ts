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
