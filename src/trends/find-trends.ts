import type { Period } from '../lib/calendar.ts'
import type { Steps } from '../lib/steps.ts'
import { timeText } from '../lib/time.ts'
import {
  type Baseline,
  type Comparison,
  chooseBaseline,
  compareWithHistory,
  type Method,
  sameTimesByNumber,
  sameWeeks,
} from './method.ts'

const TREND_UNITS = ['week', 'month'] as const
export type TrendUnit = (typeof TREND_UNITS)[number]

/** The years that a period is compared with, if the feed has them; and the fewest. */
export const MOST_YEARS = 5
export const FEWEST_YEARS = 3

/** Of the groups called higher than usual in an answer, at most this share is so by chance. */
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

/** Counts of a group, one for each period of the calendar, oldest first. */
interface GroupCounts {
  readonly key: string
  readonly counts: ArrayLike<number> & object
}

export interface TrendInput {
  readonly unit: TrendUnit
  /** Consecutive periods, oldest first: those that are tested, and the years before them. */
  readonly periods: readonly Period[]
  /** The number of last periods that are tested. */
  readonly tested: number
  readonly groups: readonly GroupCounts[]
  /** Counts of the whole feed, by which gaps in its records show. */
  readonly feedTotals: ArrayLike<number>
  readonly delay: ReportingDelay | null
  readonly now: number
  /** Comparisons of the same series, of the same unit. */
  readonly memo?: ComparisonMemo
}

export interface TrendPeriod extends Period {
  readonly observed: number
  /** Null, as all that follows from it, if there is too little history. */
  readonly expected: number | null
  /** Nine in ten counts lie in here, both ends included, if nothing has changed. */
  readonly usual: { readonly from: number; readonly to: number } | null
  readonly upperBound: number | null
  readonly ratio: number | null
  /** The probability of the observed count or more, if nothing has changed. */
  readonly probability: number | null
  /** Null without enough history; and in an incomplete period that is not higher than usual yet. */
  readonly verdict: 'higher' | 'not_higher' | null
  readonly isOver: boolean
  /** Whether it is over and nearly all its incidents are published, by the measured delay. */
  readonly isComplete: boolean
  /** The estimated share of its incidents that is published; null if delays are not known. */
  readonly completeness: number | null
  /** The earlier years that it is compared with. */
  readonly years: number
  /** Why there is no expectation; null if there is one. */
  readonly reason: string | null
}

export interface TrendGroup {
  readonly key: string
  /** Whether every period has an expectation. */
  readonly enoughHistory: boolean
  /** Why the last period without an expectation has none. */
  readonly reason: string | null
  /** Oldest first. */
  readonly periods: readonly TrendPeriod[]
}

/** A comparison takes about a fifth of a millisecond. */
export function* findTrends(input: TrendInput): Steps<TrendGroup[]> {
  const { periods, tested, groups, memo = new ComparisonMemo() } = input
  const found = groups.map((): TrendPeriod[] => [])
  for (let index = periods.length - tested; index < periods.length; index++) {
    const column = yield* testPeriod(input, index, memo)
    for (const [number, period] of column.entries()) found[number]!.push(period)
  }
  return groups.map(({ key }, number) => {
    const reason = found[number]!.findLast((period) => period.reason !== null)?.reason ?? null
    return { key, enoughHistory: reason === null, reason, periods: found[number]! }
  })
}

/** Tests one period in all groups, which share the false alarms that are allowed. */
function* testPeriod(input: TrendInput, index: number, memo: ComparisonMemo): Steps<TrendPeriod[]> {
  const { unit, periods, groups, feedTotals, delay, now } = input
  const period = periods[index]!
  const sameTimes =
    unit === 'week' ? sameWeeks(index, periods[0]!.start, MOST_YEARS) : sameTimesByNumber(index, 12, MOST_YEARS)
  const years = yearsOnRecord(feedTotals, sameTimes, unit)
  const compared = sameTimes.slice(0, years + 1)
  const method = TREND_METHODS[unit]
  const baseline = chooseBaseline(compared, method)
  const results: { reason: string | null; comparison: Comparison | null }[] = []
  for (const { counts } of groups) {
    const problem = historyProblem(counts, sameTimes, years, unit)
    const comparison = problem === null ? memo.compare(counts, compared, method, baseline) : null
    results.push({ reason: problem ?? (comparison === null ? NO_MODEL : null), comparison })
    yield
  }
  const isHigher = higherGroups(
    groups,
    index,
    results.map(({ comparison }) => comparison),
  )
  const completeness = completenessOf(period, now, delay)
  const isOver = now >= period.end
  const isComplete = isOver && (completeness === null || completeness >= COMPLETE_SHARE)
  return results.map(({ reason, comparison }, number) => ({
    ...period,
    observed: groups[number]!.counts[index]!,
    ...figuresOf(comparison, groups[number]!.counts[index]!),
    verdict: isHigher[number] ? 'higher' : comparison === null || !isComplete ? null : 'not_higher',
    isOver,
    isComplete,
    completeness,
    years,
    reason,
  }))
}

const NO_MODEL = 'Its history is too irregular for a model.'

function figuresOf(comparison: Comparison | null, observed: number) {
  if (comparison === null) return { expected: null, usual: null, upperBound: null, ratio: null, probability: null }
  const { expected, lower, upper, probability } = comparison
  const ratio = observed / expected.mean
  return { expected: expected.mean, usual: { from: lower, to: upper }, upperBound: upper, ratio, probability }
}

/** Tells which groups are higher than usual, with false alarms controlled over all of them. */
function higherGroups(
  groups: readonly GroupCounts[],
  index: number,
  comparisons: readonly (Comparison | null)[],
): boolean[] {
  const tests = [...comparisons.keys()].filter((number) => comparisons[number] !== null)
  const probabilities = tests.map((number) =>
    recentCount(groups[number]!.counts, index) < LEAST_RECENT.incidents ? 1 : comparisons[number]!.probability,
  )
  const believed = falseDiscoveryControl(probabilities, FALSE_DISCOVERY_RATE)
  const higher = comparisons.map(() => false)
  for (const [position, number] of tests.entries()) higher[number] = believed[position]!
  return higher
}

function recentCount(counts: ArrayLike<number>, index: number): number {
  let sum = 0
  for (let back = 0; back < LEAST_RECENT.periods; back++) sum += counts[index - back] ?? 0
  return sum
}

/**
 * Counts the whole years before a period for which the feed has records, without a gap in between.
 * A quiet place has periods without incidents; a feed of a whole country has none for months only
 * if nothing was recorded.
 */
function yearsOnRecord(feedTotals: ArrayLike<number>, sameTimes: readonly number[], unit: TrendUnit): number {
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
function historyProblem(
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

/**
 * Benjamini and Hochberg's step-up procedure: tells which of many tests to believe so that, on
 * average, at most `rate` of those believed are false. Among 37 states, 5 % of the single tests
 * would raise two false alarms every week.
 */
export function falseDiscoveryControl(probabilities: readonly number[], rate: number): boolean[] {
  const sorted = [...probabilities].sort((one, other) => one - other)
  let limit = -1
  for (const [rank, probability] of sorted.entries())
    if (probability <= (rate * (rank + 1)) / sorted.length) limit = probability
  return probabilities.map((probability) => probability <= limit)
}

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

const DAY = 24 * 3_600_000

/** Later reports are left out: periods are compared by what is known after so many days. */
export const LONGEST_DELAY_DAYS = 60
/** The days over which delays are measured, beyond the longest. */
export const MEASURED_DAYS = 365
/** Fewer incidents say too little about delays. */
const LEAST_INCIDENTS = 50
/** A period with a smaller share of its incidents is called incomplete. */
export const COMPLETE_SHARE = 0.95

/** The time that incidents take from happening to being published. */
export interface ReportingDelay {
  /** The incidents measured. */
  readonly incidents: number
  /** The share that is published within so many days, by days; the last is 1. */
  readonly shareWithin: readonly number[]
  /** Half are published within this many days, and nine in ten. */
  readonly medianDays: number
  readonly ninetiethDays: number
}

/** `byDays` counts incidents by whole days of delay, up to the longest; null if too few. */
export function reportingDelayFrom(byDays: ArrayLike<number>): ReportingDelay | null {
  const counts = Array.from({ length: LONGEST_DELAY_DAYS + 1 }, (_, days) => byDays[days] ?? 0)
  const incidents = counts.reduce((sum, count) => sum + count, 0)
  if (incidents < LEAST_INCIDENTS) return null
  let sum = 0
  const shareWithin = counts.map((count) => {
    sum += count
    return sum / incidents
  })
  const daysFor = (share: number) => shareWithin.findIndex((within) => within >= share)
  return { incidents, shareWithin, medianDays: daysFor(0.5), ninetiethDays: daysFor(0.9) }
}

/**
 * Estimates the share of a period's incidents that is published by now, if they are spread evenly
 * over its days. Days that are not over count as nothing; the share of a day that began `n` days
 * ago is what is published within `n − 1` days. Without a measured delay, null once the period is
 * over.
 */
function completenessOf(
  { start, end }: { readonly start: number; readonly end: number },
  now: number,
  delay: ReportingDelay | null,
): number | null {
  const days = Math.round((end - start) / DAY)
  if (delay === null && now >= end) return null
  let sum = 0
  for (let day = 0; day < days; day++) {
    const age = Math.floor((now - (start + day * DAY)) / DAY)
    if (age < 1) break
    sum += delay === null ? 1 : delay.shareWithin[Math.min(age - 1, LONGEST_DELAY_DAYS)]!
  }
  return sum / days
}

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Says it in a sentence: "14 in March 2026; 5 to 9 would be usual." */
export function trendSentence(period: TrendPeriod, unit: TrendUnit): string {
  const count = `${period.observed} ${periodWords(period, unit)}`
  if (period.usual === null) return `${count}; there is too little history to say what is usual.`
  const usual = `${rangeWords(period.usual)} would be usual${period.isOver ? '' : ` for a whole ${unit}`}`
  return `${count}; ${usual}${period.isOver && !period.isComplete ? '. Reports of it are still coming in' : ''}.`
}

function rangeWords({ from, to }: NonNullable<TrendPeriod['usual']>): string {
  return from === to ? `${from}` : `${from} to ${to}`
}

function periodWords({ isOver, name, end }: TrendPeriod, unit: TrendUnit): string {
  if (!isOver) return `so far this ${unit}`
  if (unit === 'month') return `in ${MONTH.format(Date.parse(`${name}-01T00:00:00Z`))}`
  // The last second of the week lies on its Sunday in either time zone; its Monday is six days
  // earlier.
  const sunday = Date.parse(`${timeText(end - 1000).slice(0, 10)}T00:00:00Z`)
  return `in the week of ${DATE.format(sunday - 6 * DAY)}`
}
