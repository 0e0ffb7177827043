import type { Filter } from '../domain/filter/filter.ts'
import type { Box } from '../domain/geometry.ts'
import { walk } from './candidates.ts'
import type { Columns } from './columns.ts'
import { planFor } from './plan.ts'
import type { PublishedOrder } from './published-order.ts'
import { SEGMENT_CAPACITY } from './segment.ts'

export interface MatchQuery {
  readonly filter: Filter
  /** What `since` counts back from. */
  readonly now: number
  /** Only these are wanted: saves looking at most of the others, but not all. */
  readonly area?: Box | null
}

/** Takes matching slots, in published order from batch to batch. Only for use at once: the next batch may overwrite them. */
export type TakeBatch = (slots: Uint32Array) => void

const batch = new Uint32Array(SEGMENT_CAPACITY)

/** All that matches, a segment at a time: whoever adds up a million incidents must not be called a million times. */
export function eachBatch(query: MatchQuery, columns: Columns, order: PublishedOrder, take: TakeBatch): void {
  const plan = planFor(query.filter, columns, query.now, query.area)
  const first = order.segmentFrom(plan.publishedFrom)
  for (const segment of order.segments.slice(first)) {
    const low = order.placeIn(segment, (slot) => columns.publishedAt[slot]! - plan.publishedFrom)
    const high = order.placeIn(segment, (slot) => columns.publishedAt[slot]! - plan.publishedTo)
    if (low >= high) return
    const { slots } = segment
    if (plan.asksNothing) {
      take(slots.subarray(low, high))
      continue
    }
    let count = 0
    walk(segment, columns, plan, low, high, false, (place, known) => {
      const slot = slots[place]!
      if (plan.holds(slot, known)) batch[count++] = slot
      return true
    })
    if (count > 0) take(batch.subarray(0, count))
  }
}
