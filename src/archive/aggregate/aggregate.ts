import type { Filter } from '../../filter/filter/filter.ts'
import type { Group } from '../../filter/grouping.ts'
import type { Steps } from '../../lib/async/steps.ts'
import type { Period } from '../../lib/time/calendar.ts'
import { CasualtySums } from '../columns/casualty-column.ts'
import type { Columns } from '../columns/columns.ts'
import { type MatchQuery, matchInBatches, restrictsOnly } from '../query/matching-batches.ts'
import { planQuery } from '../query/query-plan.ts'
import { SEGMENT_CAPACITY } from '../segments/postings.ts'
import type { Segment } from '../segments/segment.ts'
import type { SegmentList } from '../segments/segment-list.ts'
import { CASUALTY_DIMENSIONS, type CasualtyDimension } from '../segments/summaries.ts'
import { groupColumnFor } from './group-column.ts'

export interface AggregationQuery extends MatchQuery {
  readonly groups: readonly Group[]
  /** The periods of the group that is a time, without gaps; every match must lie in one of them. */
  readonly periods: readonly Period[]
}

/** Sums for each pair of values: bucket `first * (number of second values) + second`. */
export interface Aggregation {
  /** The values of each of the two groups; a single one if there is no second group. */
  readonly values: readonly [readonly string[], readonly string[]]
  readonly sums: CasualtySums
  /** When the oldest match was published; null if nothing matches. */
  readonly oldest: number | null
}

/** Shared by all queries, so it holds nothing from one step to the next. */
const bucketOfSlot = new Int32Array(SEGMENT_CAPACITY)

export function* aggregate(query: AggregationQuery, columns: Columns, list: SegmentList): Steps<Aggregation> {
  const { filter, groups, now, periods } = query
  const [first, second] = [groupColumnFor(groups[0]!, periods, columns), groupColumnFor(groups[1], periods, columns)]
  const sums = new CasualtySums(first.values.length * second.values.length)
  const findBuckets = (slots: Uint32Array) => {
    bucketOfSlot.fill(0, 0, slots.length)
    first.addIndexes(slots, bucketOfSlot, second.values.length)
    second.addIndexes(slots, bucketOfSlot, 1)
  }
  let oldest: number | null = null
  const addBatch = (slots: Uint32Array) => {
    oldest ??= columns.publishedAt[slots[0]!]!
    findBuckets(slots)
    columns.casualties.addTo(sums, slots, bucketOfSlot)
  }
  const { matches } = planQuery(filter, columns, now)
  const addSummary = (segment: Segment, undecided: Filter) => {
    const dimension = summaryDimensionFor(groups, undecided)
    if (dimension === null) return false
    const { examples, sums: summed } = segment.casualtySummary(columns, dimension)
    findBuckets(examples)
    for (let entry = 0; entry < examples.length; entry++) {
      const slot = examples[entry]!
      if (!matches(slot, 0)) continue
      oldest ??= columns.publishedAt[slot]!
      sums.addBucket(bucketOfSlot[entry]!, summed, entry)
    }
    return true
  }
  yield* matchInBatches(query, columns, list, 'oldest first', addBatch, addSummary)
  return { values: [first.values, second.values], sums, oldest }
}

/** The groups and filters that the summaries of segments can answer. */
const SUMMARISED: Readonly<
  Record<CasualtyDimension, { groups: readonly Group[]; filters: readonly (keyof Filter)[] }>
> = {
  state: { groups: ['state', 'severity', 'month', 'year'], filters: ['states', 'severities'] },
  type: { groups: ['type', 'category', 'severity', 'month', 'year'], filters: ['types', 'severities'] },
}

/** Returns null if the incidents themselves must be read. */
function summaryDimensionFor(groups: readonly Group[], filter: Filter): CasualtyDimension | null {
  const isCovered = (dimension: CasualtyDimension) =>
    groups.every((group) => SUMMARISED[dimension].groups.includes(group)) &&
    restrictsOnly(filter, SUMMARISED[dimension].filters)
  return CASUALTY_DIMENSIONS.find(isCovered) ?? null
}
