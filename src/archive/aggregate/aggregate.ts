import { CATEGORY_NAMES, categoryOf, SEVERITIES, TYPE_NAMES } from '../../domain/taxonomy.ts'
import type { Filter } from '../../filter/filter.ts'
import type { Group } from '../../filter/grouping.ts'
import type { Period } from '../../lib/calendar.ts'
import type { Steps } from '../../lib/steps.ts'
import { CasualtySums } from '../columns/casualty-column.ts'
import type { Columns, Dictionary } from '../columns/columns.ts'
import { type MatchQuery, matchInBatches, restrictsOnly } from '../query/matches.ts'
import { planQuery } from '../query/query-plan.ts'
import type { Segment, SegmentList } from '../segments/published-order.ts'
import { CASUALTY_DIMENSIONS, type CasualtyDimension, SEGMENT_CAPACITY } from '../segments/segment-indexes.ts'

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
  /** Time of publication of the oldest match; null if nothing matches. */
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

const DAY = 24 * 3_600_000

export interface OccurrenceQuery extends MatchQuery {
  /** A group that is no time; without one, everything is counted together. */
  readonly group: Group | undefined
  /** Whole days of one time zone, consecutive; only incidents that happened in them are counted. */
  readonly periods: readonly Period[]
}

/** Counts by the time of the event: of value `v` in period `p` at `v * (number of periods) + p`. */
export interface Occurrences {
  readonly values: readonly string[]
  readonly counts: Uint32Array
}

export function* countOccurrences(query: OccurrenceQuery, columns: Columns, list: SegmentList): Steps<Occurrences> {
  const { periods } = query
  const column = groupColumnFor(query.group, [], columns)
  const counts = new Uint32Array(column.values.length * periods.length)
  const periodOf = periodFinder(periods)
  const { occurredAt } = columns
  const addBatch = (slots: Uint32Array) => {
    bucketOfSlot.fill(0, 0, slots.length)
    column.addIndexes(slots, bucketOfSlot, periods.length)
    for (let index = 0; index < slots.length; index++)
      counts[bucketOfSlot[index]! + periodOf(occurredAt[slots[index]!]!)]!++
  }
  const asked = { ...query, filter: occurredIn(query.filter, periods) }
  yield* matchInBatches(asked, columns, list, 'oldest first', addBatch, null)
  return { values: column.values, counts }
}

/** Counts the incidents by whole days from the event to its publication, up to `longest`. */
export function* countDelays(
  query: MatchQuery & { readonly longest: number },
  columns: Columns,
  list: SegmentList,
): Steps<Uint32Array> {
  const byDays = new Uint32Array(query.longest + 1)
  const { occurredAt, publishedAt } = columns
  const addBatch = (slots: Uint32Array) => {
    for (const slot of slots) {
      const days = Math.floor(Math.max(0, publishedAt[slot]! - occurredAt[slot]!) / DAY)
      if (days <= query.longest) byDays[days]!++
    }
  }
  yield* matchInBatches(query, columns, list, 'oldest first', addBatch, null)
  return byDays
}

function occurredIn(filter: Filter, periods: readonly Period[]): Filter {
  return { ...filter, occurredFrom: periods[0]!.start, occurredTo: periods.at(-1)!.end }
}

/** Looks the period up by its day: a search for each of a million incidents would cost more. */
function periodFinder(periods: readonly Period[]): (time: number) => number {
  const first = periods[0]!.start
  const periodOfDay = new Uint16Array(Math.round((periods.at(-1)!.end - first) / DAY))
  for (const [number, { start, end }] of periods.entries())
    periodOfDay.fill(number, Math.round((start - first) / DAY), Math.round((end - first) / DAY))
  return (time) => periodOfDay[Math.floor((time - first) / DAY)]!
}

/** One group of an aggregation: its values, and which value each slot has. */
interface GroupColumn {
  readonly values: readonly string[]
  /** Adds `factor` times the index of each slot's value to `target`. */
  readonly addIndexes: (slots: Uint32Array, target: Int32Array, factor: number) => void
}

/** `periods` are the group's values if it is a time. */
function groupColumnFor(group: Group | undefined, periods: readonly Period[], columns: Columns): GroupColumn {
  switch (group) {
    case undefined:
      return { values: [''], addIndexes: () => {} }
    case 'state':
      return fromColumn(textsOf(columns.states), columns.state)
    case 'lga':
      return fromColumn(textsOf(columns.lgas), columns.lga)
    case 'type':
      return fromColumn(TYPE_NAMES, columns.type)
    case 'severity':
      return fromColumn(SEVERITIES, columns.severity)
    case 'category':
      return fromCategories(columns.type)
    default:
      return fromPeriods(periods, columns.publishedAt)
  }
}

function textsOf(dictionary: Dictionary): string[] {
  return Array.from({ length: dictionary.size }, (_, number) => dictionary.textOf(number))
}

function fromColumn(values: readonly string[], column: Uint8Array | Uint16Array): GroupColumn {
  return {
    values,
    addIndexes(slots, target, factor) {
      for (let index = 0; index < slots.length; index++) target[index]! += column[slots[index]!]! * factor
    },
  }
}

function fromCategories(types: Uint8Array): GroupColumn {
  const categories = Uint8Array.from(TYPE_NAMES, (type) => CATEGORY_NAMES.indexOf(categoryOf(type)))
  return {
    values: CATEGORY_NAMES,
    addIndexes(slots, target, factor) {
      for (let index = 0; index < slots.length; index++) target[index]! += categories[types[slots[index]!]!]! * factor
    },
  }
}

/** Slots come in published order, so a binary search finds the end of each period. */
function fromPeriods(periods: readonly Period[], publishedAt: Float64Array): GroupColumn {
  const ends = Float64Array.from(periods, ({ end }) => end)
  let period = 0
  return {
    values: periods.map(({ name }) => name),
    addIndexes(slots, target, factor) {
      for (let start = 0; start < slots.length; ) {
        while (publishedAt[slots[start]!]! >= ends[period]!) period++
        const end = firstPublishedFrom(ends[period]!, slots, start, publishedAt)
        for (let index = start; index < end; index++) target[index]! += period * factor
        start = end
      }
    },
  }
}

/** Returns the first index from `start` on whose slot was published at that time or later. */
function firstPublishedFrom(time: number, slots: Uint32Array, start: number, publishedAt: Float64Array): number {
  let low = start
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (publishedAt[slots[middle]!]! < time) low = middle + 1
    else high = middle
  }
  return low
}
