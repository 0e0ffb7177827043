import type { ArchiveView } from '../../../archive/snapshots/archive-view.ts'
import { NO_DATASET } from '../../../domain/incident.ts'
import type { Steps } from '../../../lib/async/steps.ts'
import { listPeriods, type Period, startOfPeriod, ZONE_OFFSETS } from '../../../lib/time/calendar.ts'
import { EVERYTHING, type Filter } from '../../../query/filter/filter.ts'
import type { TrendQuestion } from '../../../query/trend-question.ts'
import { findTrends, type GroupCounts, type TrendGroup } from '../../../trends/find-trends.ts'
import {
  LONGEST_DELAY_DAYS,
  MEASURED_DAYS,
  type ReportingDelay,
  reportingDelayFrom,
} from '../../../trends/reporting-delay.ts'
import { MOST_YEARS, TREND_METHODS } from '../../../trends/trend-method.ts'

const DAY = 24 * 3_600_000

export interface Trends {
  readonly question: TrendQuestion
  /** Most incidents in the last period first, then by key. */
  readonly groups: readonly TrendGroup[]
  readonly byKey: ReadonlyMap<string, TrendGroup>
  readonly delay: ReportingDelay | null
  /** Without new events the trends are the same until then. */
  readonly validUntil: number
  /** The last event that they include. */
  readonly seq: number
}

/** Compares the last periods of each group with those of earlier years. */
export function* readTrends(view: ArchiveView, question: TrendQuestion, now: number): Steps<Trends> {
  const { groupBy, period, periods: tested, filter, timeZone } = question
  const periods = yield* periodsOf(question, now)
  const asked = { periods, now }
  const { values, counts } = yield* view.occurrences({ ...asked, group: groupBy ?? undefined, filter })
  // Gaps show in what is recorded at all, of the same data sets; not in a quiet place.
  const everything = { ...EVERYTHING, datasets: filter.datasets }
  const { counts: feedTotals } = yield* view.occurrences({ ...asked, group: undefined, filter: everything })
  const today = startOfPeriod('day', now, timeZone)
  const delay = reportingDelayFrom(yield* view.delays({ ...delayWindow(today), now, longest: LONGEST_DELAY_DAYS }))
  const groups = groupsWithIncidents(values, counts, periods.length, groupBy === null)
  const found = yield* findTrends({ unit: period, periods, tested, groups, feedTotals, delay, now })
  const sorted = found.sort(byLastCount)
  return {
    question,
    groups: sorted,
    byKey: new Map(sorted.map((group) => [group.key, group])),
    delay,
    validUntil: today + DAY,
    seq: view.head.seq,
  }
}

/** The periods that are tested, the years before the first of them, and its season. */
function* periodsOf({ period, periods, at, timeZone }: TrendQuestion, now: number): Steps<Period[]> {
  const last = at ?? now
  const firstTested = startOfPeriod(period, last, timeZone, 1 - periods)
  const yearsBefore = new Date(firstTested + ZONE_OFFSETS[timeZone])
  yearsBefore.setUTCFullYear(yearsBefore.getUTCFullYear() - MOST_YEARS)
  const before = yearsBefore.getTime() - ZONE_OFFSETS[timeZone]
  // One more: the nearest week may begin before the same date.
  const from = startOfPeriod(period, before, timeZone, -TREND_METHODS[period].halfWindow - 1)
  return yield* listPeriods(period, from, last, timeZone)
}

/** Incidents that are old enough for late reports; imports are published at the time of the event. */
function delayWindow(today: number): { readonly filter: Filter } {
  const occurredTo = today - LONGEST_DELAY_DAYS * DAY
  const occurredFrom = occurredTo - MEASURED_DAYS * DAY
  return { filter: { ...EVERYTHING, datasets: [NO_DATASET], publishedFrom: occurredFrom, occurredFrom, occurredTo } }
}

function groupsWithIncidents(
  values: readonly string[],
  counts: Uint32Array,
  width: number,
  isWhole: boolean,
): GroupCounts[] {
  return values
    .map((key, number) => ({ key, counts: counts.subarray(number * width, (number + 1) * width) }))
    .filter((group) => isWhole || group.counts.some((count) => count > 0))
}

function byLastCount(one: TrendGroup, other: TrendGroup): number {
  return other.periods.at(-1)!.observed - one.periods.at(-1)!.observed || (one.key < other.key ? -1 : 1)
}
