import type { Filter } from '../../query/filter/filter.ts'
import type { Order } from '../../query/listing.ts'
import type { Columns, Position } from '../columns/columns.ts'
import type { PublishedOrder } from '../segments/published-order.ts'
import type { Segment } from '../segments/segment.ts'
import { walkCandidates } from './candidates.ts'
import { planQuery } from './query-plan.ts'

export interface PageQuery {
  readonly filter: Filter
  readonly order: Order
  readonly limit: number
  /** Continues after this position; null starts at the end that the order names. */
  readonly after: Position | null
  /** The time that `since` counts back from. */
  readonly now: number
}

export interface SlotPage {
  readonly slots: readonly number[]
  /** The first slot of the next page. */
  readonly next: number | null
}

/** Finds the first matches in order. Seeks by position: skipping to `after` costs nothing. */
export function findPage(query: PageQuery, columns: Columns, order: PublishedOrder): SlotPage {
  const { limit, after, now } = query
  const backwards = query.order === 'newest'
  const plan = planQuery(query.filter, columns, now)
  const slots: number[] = []
  let next: number | null = null

  const inSegment = (segment: Segment): boolean => {
    const low = startIn(segment)
    const high = endIn(segment)
    if (low >= high) return true
    const run = segment.firstOfSlotRun
    return walkCandidates(segment, columns, plan, low, high, backwards, (offset, known) => {
      const slot = run === null ? segment.slots[offset]! : run + offset
      if (!plan.matches(slot, known)) return true
      if (slots.length < limit) slots.push(slot)
      else next = slot
      return next === null
    })
  }
  const startIn = (segment: Segment): number => {
    const byTime = order.offsetIn(segment, (slot) => columns.publishedAt[slot]! - plan.publishedFrom)
    if (after === null || backwards) return byTime
    // Start behind the position: its incident was on the page before.
    const byPosition = order.offsetIn(segment, (slot) => columns.comparePosition(slot, after) || -1)
    return Math.max(byTime, byPosition)
  }
  const endIn = (segment: Segment): number => {
    const byTime = order.offsetIn(segment, (slot) => columns.publishedAt[slot]! - plan.publishedTo)
    if (after === null || !backwards) return byTime
    return Math.min(
      byTime,
      order.offsetIn(segment, (slot) => columns.comparePosition(slot, after)),
    )
  }

  const { segments } = order
  let first = order.segmentFromTime(plan.publishedFrom)
  let last = order.segmentFromTime(plan.publishedTo)
  if (after !== null && backwards) last = Math.min(last, order.segmentAtPosition(after))
  if (after !== null && !backwards) first = Math.max(first, order.segmentAtPosition(after))
  last = Math.min(last, segments.length - 1)
  if (backwards) for (let index = last; index >= first && inSegment(segments[index]!); index--);
  else for (let index = first; index <= last && inSegment(segments[index]!); index++);
  return { slots, next }
}
