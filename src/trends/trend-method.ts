import type { Method } from './method.ts'

export const TREND_UNITS = ['week', 'month'] as const
export type TrendUnit = (typeof TREND_UNITS)[number]

/** The years that a period is compared with, if the feed has them; and the fewest. */
export const MOST_YEARS = 5
export const FEWEST_YEARS = 3

/**
 * Of the groups of an answer that are called higher than usual, at most this share is so by chance.
 */
export const FALSE_DISCOVERY_RATE = 0.05

/** No group is called higher than usual with fewer incidents than this in so many periods. */
export const LEAST_RECENT = { incidents: 5, periods: 4 } as const

/** The fewest incidents in the same season of the earlier years; fewer give no expectation. */
export const LEAST_IN_SEASON = 5

/** So many periods in a row without any incident of the whole feed are a gap in its records. */
export const GAP: Readonly<Record<TrendUnit, number>> = { week: 13, month: 3 }

/** Noufaily's variant, with the uncertainty of the expected count in the bounds (decision 57). */
const SHARED = {
  bounds: 'count with uncertainty',
  alpha: 0.05,
  levelCount: 10,
  residualThreshold: 2.58,
  trendSignificance: 1,
} as const satisfies Partial<Method>

export const TREND_METHODS: Readonly<Record<TrendUnit, Method>> = {
  week: { ...SHARED, halfWindow: 3, recentExcluded: 26 },
  month: { ...SHARED, halfWindow: 1, recentExcluded: 6 },
}
