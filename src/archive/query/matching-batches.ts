import type { Box } from '../../lib/geometry/geometry.ts'
import type { Filter } from '../../query/filter/filter.ts'
import type { Columns } from '../columns/columns.ts'
import { SEGMENT_CAPACITY } from '../segments/postings.ts'
import type { PublishedOrder } from '../segments/published-order.ts'
import type { Segment } from '../segments/segment.ts'
import { gatherCandidates } from './candidates.ts'
import { columnFiltersFor } from './column-filters.ts'
import { planQuery } from './query-plan.ts'

export interface MatchQuery {
  readonly filter: Filter
  /** The time that `since` counts back from. */
  readonly now: number
  /** Skips most incidents outside this box, but not all. */
  readonly area?: Box | null
}

/** Receives slots in published order across batches. It may change the array, which is reused. */
export type OnBatch = (slots: Uint32Array) => void

/** Called for each segment wholly within the window; returns true if its sums were enough. */
export type TrySummary = (segment: Segment) => boolean

const batch = new Uint32Array(SEGMENT_CAPACITY)

/** Passes on all matches by segment: a call per incident would cost too much for a million. */
export function forEachMatchingBatch(
  query: MatchQuery,
  columns: Columns,
  order: PublishedOrder,
  take: OnBatch,
  summarise: TrySummary | null,
): void {
  const plan = planQuery(query.filter, columns, query.now, query.area)
  const columnFilters = columnFiltersFor(query.filter, columns)
  const first = order.segmentFromTime(plan.publishedFrom)
  for (const segment of order.segments.slice(first)) {
    const low = order.offsetIn(segment, (slot) => columns.publishedAt[slot]! - plan.publishedFrom)
    const high = order.offsetIn(segment, (slot) => columns.publishedAt[slot]! - plan.publishedTo)
    if (low >= high) return
    if (summarise !== null && high - low === segment.size && summarise(segment)) continue
    let { count, known } = gatherCandidates(segment, columns, plan, low, high, batch)
    for (const columnFilter of columnFilters) {
      if (count > 0 && (columnFilter.known & known) === 0) count = columnFilter.run(batch, count)
    }
    if (count > 0) take(batch.subarray(0, count))
  }
}

const WINDOW: readonly (keyof Filter)[] = ['since', 'publishedFrom', 'publishedTo']

/** Tells whether the filter restricts only these fields and the publication time. */
export function restrictsOnly(filter: Filter, fields: readonly (keyof Filter)[]): boolean {
  const names = Object.keys(filter) as (keyof Filter)[]
  return names.every((name) => filter[name] === null || WINDOW.includes(name) || fields.includes(name))
}
