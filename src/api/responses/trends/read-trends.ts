import type { ArchiveView } from '../../../archive/archive-view.ts'
import type { TrendQuestion } from '../../../filter/trend-question.ts'
import type { Steps } from '../../../lib/steps.ts'
import { ComparisonMemo } from '../../../trends/comparison-memo.ts'
import { findTrends, type TrendGroup } from '../../../trends/find-trends.ts'
import { type ReportingDelay, reportingDelayFrom } from '../../../trends/reporting-delay.ts'
import { countForTrends, DAY, type TrendCounts } from './trend-counts.ts'

export interface Trends {
  /** Most incidents in the last period first, then by key. */
  readonly groups: readonly TrendGroup[]
  readonly byKey: ReadonlyMap<string, TrendGroup>
  readonly delay: ReportingDelay | null
  /** Without new events the trends are the same until then. */
  readonly validUntil: number
}

/** Compares the last periods of each group with those of earlier years. */
export function* readTrends(view: ArchiveView, question: TrendQuestion, now: number): Steps<Trends> {
  const counts = yield* countForTrends(view, question, now)
  return yield* trendsFrom(counts, question, now, new ComparisonMemo())
}

/** `memo` has comparisons of the same question. */
export function* trendsFrom(
  { periods, rows, feedTotals, delays }: TrendCounts,
  { period: unit, periods: tested }: TrendQuestion,
  now: number,
  memo: ComparisonMemo,
): Steps<Trends> {
  const delay = reportingDelayFrom(delays.byDays)
  const groups = Array.from(rows, ([key, counts]) => ({ key, counts }))
  const found = yield* findTrends({ unit, periods, tested, groups, feedTotals, delay, now, memo })
  const sorted = found.sort(byLastCount)
  return {
    groups: sorted,
    byKey: new Map(sorted.map((group) => [group.key, group])),
    delay,
    validUntil: delays.today + DAY,
  }
}

function byLastCount(one: TrendGroup, other: TrendGroup): number {
  return other.periods.at(-1)!.observed - one.periods.at(-1)!.observed || (one.key < other.key ? -1 : 1)
}
