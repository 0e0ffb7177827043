import type { ArchiveView } from '../../../archive/archive-view.ts'
import { NO_DATASET } from '../../../domain/incident.ts'
import { EVERYTHING, type Filter } from '../../../filter/filter/filter.ts'
import type { TrendQuestion } from '../../../filter/trend-question.ts'
import { listPeriods, type Period, startOfPeriod, ZONE_OFFSETS } from '../../../lib/calendar.ts'
import type { Steps } from '../../../lib/steps.ts'
import { LONGEST_DELAY_DAYS, MEASURED_DAYS } from '../../../trends/reporting-delay.ts'
import { MOST_YEARS, TREND_METHODS } from '../../../trends/trend-method.ts'

export const DAY = 24 * 3_600_000

/** What trends are computed from, after one event. No array changes: events replace them. */
export interface TrendCounts {
  readonly seq: number
  readonly periods: readonly Period[]
  /** One count for each period, by the groups that have any; without groups, one row under ''. */
  readonly rows: ReadonlyMap<string, Uint32Array>
  /** Counts of the whole feed, by which gaps in its records show. */
  readonly feedTotals: Uint32Array
  readonly delays: DelayCounts
}

export interface DelayCounts {
  /** The day on which they are counted begins then. */
  readonly today: number
  /** Incidents by whole days from the event to its publication. */
  readonly byDays: Uint32Array
}

export function* countForTrends(view: ArchiveView, question: TrendQuestion, now: number): Steps<TrendCounts> {
  const { groupBy, filter, timeZone } = question
  const periods = yield* periodsOf(question, now)
  const asked = { periods, now }
  const { values, counts } = yield* view.occurrences({ ...asked, group: groupBy ?? undefined, filter })
  const { counts: feedTotals } = yield* view.occurrences({ ...asked, group: undefined, filter: feedFilter(question) })
  const delays = yield* countDelays(view, startOfPeriod('day', now, timeZone), now)
  const rows = new Map<string, Uint32Array>()
  for (const [number, key] of values.entries()) {
    const row = counts.slice(number * periods.length, (number + 1) * periods.length)
    if (groupBy === null || row.some((count) => count > 0)) rows.set(key, row)
  }
  yield
  return { seq: view.head.seq, periods, rows, feedTotals, delays }
}

export function* countDelays(view: ArchiveView, today: number, now: number): Steps<DelayCounts> {
  const byDays = yield* view.delays({ filter: delayFilter(today), now, longest: LONGEST_DELAY_DAYS })
  return { today, byDays }
}

/** Gaps show in what is recorded at all, of the same data sets; not in a quiet place. */
export function feedFilter({ filter }: TrendQuestion): Filter {
  return { ...EVERYTHING, datasets: filter.datasets }
}

/**
 * Incidents that are old enough for late reports; imports are published at the time of the event.
 */
export function delayFilter(today: number): Filter {
  const occurredTo = today - LONGEST_DELAY_DAYS * DAY
  const occurredFrom = occurredTo - MEASURED_DAYS * DAY
  return { ...EVERYTHING, datasets: [NO_DATASET], publishedFrom: occurredFrom, occurredFrom, occurredTo }
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
