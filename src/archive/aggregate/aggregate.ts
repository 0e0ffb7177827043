import type { Period } from '../../lib/time/calendar.ts'
import type { Filter } from '../../query/filter/filter.ts'
import type { Group } from '../../query/grouping.ts'
import { CasualtySums } from '../columns/casualty-column.ts'
import type { Columns } from '../columns/columns.ts'
import { forEachMatchingBatch, type MatchQuery, restrictsOnly } from '../query/matching-batches.ts'
import { planQuery } from '../query/query-plan.ts'
import { SEGMENT_CAPACITY } from '../segments/postings.ts'
import type { PublishedOrder } from '../segments/published-order.ts'
import type { Segment } from '../segments/segment.ts'
import { CASUALTY_DIMENSIONS, type CasualtyDimension } from '../segments/summaries.ts'
import { axisFor } from './group-column.ts'

export interface AggregationQuery extends MatchQuery {
  readonly groups: readonly Group[]
  /** Those of the group that is a time, without a gap; every match must lie in one. */
  readonly periods: readonly Period[]
}

/** How many, for each pair of a value of the first group and one of the second: at `first * (values of the second) + second`. */
export interface Aggregation {
  /** For each of two groups, what its numbers stand for; one value alone where there is no second group. */
  readonly values: readonly [readonly string[], readonly string[]]
  readonly sums: CasualtySums
  /** When the first of all matches was published; null where nothing matches. */
  readonly oldest: number | null
}

const places = new Int32Array(SEGMENT_CAPACITY)

export function aggregate(query: AggregationQuery, columns: Columns, order: PublishedOrder): Aggregation {
  const { filter, groups, now, periods } = query
  const [first, second] = [axisFor(groups[0]!, periods, columns), axisFor(groups[1], periods, columns)]
  const sums = new CasualtySums(first.values.length * second.values.length)
  const place = (slots: Uint32Array) => {
    places.fill(0, 0, slots.length)
    first.add(slots, places, second.values.length)
    second.add(slots, places, 1)
  }
  let oldest: number | null = null
  const take = (slots: Uint32Array) => {
    oldest ??= columns.publishedAt[slots[0]!]!
    place(slots)
    columns.tolls.addTo(sums, slots, places)
  }
  const { holds } = planQuery(filter, columns, now)
  const summarise = (dimension: CasualtyDimension) => (segment: Segment) => {
    const { examples, sums: added } = segment.tolls(columns, dimension)
    place(examples)
    for (let from = 0; from < examples.length; from++) {
      const slot = examples[from]!
      if (!holds(slot, 0)) continue
      oldest ??= columns.publishedAt[slot]!
      sums.addPlace(places[from]!, added, from)
    }
    return true
  }
  const dimension = summedBy(query)
  forEachMatchingBatch(query, columns, order, take, dimension && summarise(dimension))
  return { values: [first.values, second.values], sums, oldest }
}

/** What segments' sums can tell. */
const SUMMED: Readonly<Record<CasualtyDimension, { groups: readonly Group[]; filters: readonly (keyof Filter)[] }>> = {
  state: { groups: ['state', 'severity', 'month', 'year'], filters: ['states', 'severities'] },
  type: { groups: ['type', 'category', 'severity', 'month', 'year'], filters: ['types', 'severities'] },
}

/** Null where only the incidents themselves tell. */
function summedBy({ groups, filter }: AggregationQuery): CasualtyDimension | null {
  const tells = (dimension: CasualtyDimension) =>
    groups.every((group) => SUMMED[dimension].groups.includes(group)) &&
    restrictsOnly(filter, SUMMED[dimension].filters)
  return CASUALTY_DIMENSIONS.find(tells) ?? null
}
