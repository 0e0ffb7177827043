import type { ArchiveView } from '../../../archive/archive-view.ts'
import type { Filter } from '../../../filter/filter.ts'
import type { Group } from '../../../filter/grouping.ts'
import { MAP_TIME_ZONE } from '../../../filter/map-periods.ts'
import { listPeriods } from '../../../lib/calendar.ts'
import type { Steps } from '../../../lib/steps.ts'

export interface PeriodCount {
  /** `2026-11`, or `2026`. */
  readonly name: string
  readonly start: number
  readonly count: number
}

/**
 * Counts the incidents of each month or year, from the first one of the filter or of the archive up
 * to now.
 */
export function* periodCounts(
  view: ArchiveView,
  filter: Filter,
  unit: 'month' | 'year',
  now: number,
): Steps<PeriodCount[]> {
  const { oldestPublishedAt, newestPublishedAt } = view
  const from = filter.publishedFrom ?? oldestPublishedAt ?? now
  // If this node's clock is behind, the archive may have later incidents.
  const to = Math.max(now, newestPublishedAt ?? now)
  const periods = yield* listPeriods(unit, from, to, MAP_TIME_ZONE)
  const { sums } = yield* view.aggregate({ groups: [unit], filter, now, periods })
  return periods.map(({ name, start }, index) => ({ name, start, count: sums.at(index).count }))
}

/** Counts the incidents of each value that has any. */
export function* countsBy(
  view: ArchiveView,
  filter: Filter,
  group: Exclude<Group, 'hour' | 'day' | 'week' | 'month' | 'year'>,
  now: number,
): Steps<Map<string, number>> {
  const { values, sums } = yield* view.aggregate({ groups: [group], filter, now, periods: [] })
  const counts = new Map<string, number>()
  for (const [index, value] of values[0].entries()) {
    const { count } = sums.at(index)
    if (count > 0) counts.set(value, count)
  }
  return counts
}
