import type { Period } from '../lib/calendar.ts'
import type { Steps } from '../lib/steps.ts'
import { ComparisonMemo } from './comparison-memo.ts'
import { falseDiscoveryControl } from './false-discovery.ts'
import { historyProblem, yearsOnRecord } from './history.ts'
import type { Comparison } from './method.ts'
import { sameTimesByNumber, sameWeeks } from './model/same-times.ts'
import { chooseBaseline } from './model/season-levels.ts'
import { COMPLETE_SHARE, completenessOf, type ReportingDelay } from './reporting-delay.ts'
import { FALSE_DISCOVERY_RATE, LEAST_RECENT, MOST_YEARS, TREND_METHODS, type TrendUnit } from './trend-method.ts'

/** Counts of a group, one for each period of the calendar, oldest first. */
export interface GroupCounts {
  readonly key: string
  readonly counts: ArrayLike<number> & object
}

export interface TrendInput {
  readonly unit: TrendUnit
  /** Consecutive periods, oldest first: those that are tested, and the years before them. */
  readonly periods: readonly Period[]
  /** How many of the last periods are tested. */
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
  /**
   * Whether the period is over and nearly all its incidents are published, by the measured delay.
   */
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
