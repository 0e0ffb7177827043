import type { Filter } from '../../filter/filter/filter.ts'
import type { Group } from '../../filter/grouping.ts'
import type { Steps } from '../../lib/async/steps.ts'
import type { Period } from '../../lib/time/calendar.ts'
import type { Columns } from '../columns/columns.ts'
import { type MatchQuery, matchInBatches } from '../query/matching-batches.ts'
import { SEGMENT_CAPACITY } from '../segments/postings.ts'
import type { SegmentList } from '../segments/segment-list.ts'
import { groupColumnFor } from './group-column.ts'

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

/** Shared by all queries, so it holds nothing from one step to the next. */
const bucketOfSlot = new Int32Array(SEGMENT_CAPACITY)

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
