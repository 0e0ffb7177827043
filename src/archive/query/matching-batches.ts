import type { Box } from '../../lib/geometry/geometry.ts'
import type { Filter } from '../../query/filter/filter.ts'
import type { Columns } from '../columns/columns.ts'
import { SEGMENT_CAPACITY } from '../segments/postings.ts'
import type { PublishedOrder } from '../segments/published-order.ts'
import type { Segment } from '../segments/segment.ts'
import { gather } from './candidates.ts'
import { columnFiltersFor } from './column-filters.ts'
import { planQuery } from './query-plan.ts'

export interface MatchQuery {
  readonly filter: Filter
  /** What `since` counts back from. */
  readonly now: number
  /** Only these are wanted: saves looking at most of the others, but not all. */
  readonly area?: Box | null
}

/** Takes matching slots, in published order from batch to batch. They are the taker's to change, and only for use at once: the next batch overwrites them. */
export type OnBatch = (slots: Uint32Array) => void

/** Offered each segment that lies in the window as a whole: true where what it has added up told enough, and its incidents need not be looked at. */
export type TrySummary = (segment: Segment) => boolean

const batch = new Uint32Array(SEGMENT_CAPACITY)

/** All that matches, a segment at a time: whoever adds up a million incidents must not be called a million times. */
export function forEachMatchingBatch(
  query: MatchQuery,
  columns: Columns,
  order: PublishedOrder,
  take: OnBatch,
  summarise: TrySummary | null,
): void {
  const plan = planQuery(query.filter, columns, query.now, query.area)
  const columnFilters = columnFiltersFor(query.filter, columns)
  const first = order.segmentFrom(plan.publishedFrom)
  for (const segment of order.segments.slice(first)) {
    const low = order.placeIn(segment, (slot) => columns.publishedAt[slot]! - plan.publishedFrom)
    const high = order.placeIn(segment, (slot) => columns.publishedAt[slot]! - plan.publishedTo)
    if (low >= high) return
    if (summarise !== null && high - low === segment.size && summarise(segment)) continue
    let { count, known } = gather(segment, columns, plan, low, high, batch)
    for (const columnFilter of columnFilters) {
      if (count > 0 && (columnFilter.known & known) === 0) count = columnFilter.run(batch, count)
    }
    if (count > 0) take(batch.subarray(0, count))
  }
}

const WINDOW: readonly (keyof Filter)[] = ['since', 'publishedFrom', 'publishedTo']

/** Whether the filter restricts nothing but these fields and when incidents were published. */
export function restrictsOnly(filter: Filter, fields: readonly (keyof Filter)[]): boolean {
  const names = Object.keys(filter) as (keyof Filter)[]
  return names.every((name) => filter[name] === null || WINDOW.includes(name) || fields.includes(name))
}
