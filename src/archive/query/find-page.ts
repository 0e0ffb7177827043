import type { Filter } from '../../query/filter/filter.ts'
import type { Order } from '../../query/listing.ts'
import type { Columns, Position } from '../columns/columns.ts'
import type { PublishedOrder } from '../segments/published-order.ts'
import type { Segment } from '../segments/segment.ts'
import { walk } from './candidates.ts'
import { planQuery } from './query-plan.ts'

export interface PageQuery {
  readonly filter: Filter
  readonly order: Order
  readonly limit: number
  /** Goes on after this position; null begins at the end that the order names. */
  readonly after: Position | null
  /** What `since` counts back from. */
  readonly now: number
}

export interface SlotPage {
  readonly slots: readonly number[]
  /** The slot that the next page would begin with. */
  readonly next: number | null
}

/** The first matches in the order asked, by position: what stands before `after` costs nothing. */
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
    const run = segment.firstOfRun
    return walk(segment, columns, plan, low, high, backwards, (place, known) => {
      const slot = run === null ? segment.slots[place]! : run + place
      if (!plan.holds(slot, known)) return true
      if (slots.length < limit) slots.push(slot)
      else next = slot
      return next === null
    })
  }
  const startIn = (segment: Segment): number => {
    const byTime = order.placeIn(segment, (slot) => columns.publishedAt[slot]! - plan.publishedFrom)
    if (after === null || backwards) return byTime
    // The place after the position itself: what stands at it was on the page before.
    const byPosition = order.placeIn(segment, (slot) => columns.comparePosition(slot, after) || -1)
    return Math.max(byTime, byPosition)
  }
  const endIn = (segment: Segment): number => {
    const byTime = order.placeIn(segment, (slot) => columns.publishedAt[slot]! - plan.publishedTo)
    if (after === null || !backwards) return byTime
    return Math.min(
      byTime,
      order.placeIn(segment, (slot) => columns.comparePosition(slot, after)),
    )
  }

  const { segments } = order
  let first = order.segmentFrom(plan.publishedFrom)
  let last = order.segmentFrom(plan.publishedTo)
  if (after !== null && backwards) last = Math.min(last, order.segmentAt(after))
  if (after !== null && !backwards) first = Math.max(first, order.segmentAt(after))
  last = Math.min(last, segments.length - 1)
  if (backwards) for (let index = last; index >= first && inSegment(segments[index]!); index--);
  else for (let index = first; index <= last && inSegment(segments[index]!); index++);
  return { slots, next }
}
