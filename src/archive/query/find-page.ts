import type { Filter } from '../../filter/filter/filter.ts'
import type { Order } from '../../filter/listing.ts'
import type { Steps } from '../../lib/async/steps.ts'
import type { Columns, Position } from '../columns/columns.ts'
import type { Segment } from '../segments/segment.ts'
import type { SegmentList } from '../segments/segment-list.ts'
import { walkCandidates } from './candidates.ts'
import { allOf, planQuery, type SlotTest } from './query-plan.ts'
import { WorkLimit } from './work-limit.ts'

export interface PageQuery {
  readonly filter: Filter
  readonly order: Order
  readonly limit: number
  /** Continues after this position; null starts at the end that the order names. */
  readonly after: Position | null
  /** The time that `since` counts back from. */
  readonly now: number
  /** Tests the words of the filter; the view knows the documents. */
  readonly hasWords?: SlotTest | null
}

export interface SlotPage {
  readonly slots: readonly number[]
  /** The first slot of the next page. */
  readonly next: number | null
}

/**
 * Finds the first matches in order. Seeks by position: skipping to `after` costs nothing. A step is
 * one segment, or less where shapes or words are compared.
 */
export function* findPage(query: PageQuery, columns: Columns, list: SegmentList): Steps<SlotPage> {
  const { limit, after, now } = query
  const backwards = query.order === 'newest'
  const plan = planQuery(query.filter, columns, now)
  const shape = allOf(plan.shape, query.hasWords ?? null)
  const slots: number[] = []
  let next: number | null = null
  /** Returns false once the page and the slot after it are found. */
  const addMatch = (slot: number): boolean => {
    if (slots.length < limit) slots.push(slot)
    else next = slot
    return next === null
  }

  const walkMatches = (segment: Segment, visit: (slot: number) => boolean): boolean => {
    const low = startIn(segment)
    const high = endIn(segment)
    if (low >= high) return true
    const run = segment.firstOfSlotRun
    return walkCandidates(segment, columns, plan, low, high, backwards, (offset, known) => {
      const slot = run === null ? segment.slots[offset]! : run + offset
      return plan.matches(slot, known) ? visit(slot) : true
    })
  }
  const startIn = (segment: Segment): number => {
    const byTime = list.offsetIn(segment, (slot) => columns.publishedAt[slot]! - plan.publishedFrom)
    if (after === null || backwards) return byTime
    // Start behind the position: its incident was on the page before.
    const byPosition = list.offsetIn(segment, (slot) => columns.comparePosition(slot, after) || -1)
    return Math.max(byTime, byPosition)
  }
  const endIn = (segment: Segment): number => {
    const byTime = list.offsetIn(segment, (slot) => columns.publishedAt[slot]! - plan.publishedTo)
    if (after === null || !backwards) return byTime
    return Math.min(
      byTime,
      list.offsetIn(segment, (slot) => columns.comparePosition(slot, after)),
    )
  }

  const { segments } = list
  const work = shape && new WorkLimit(query.filter)
  let first = list.segmentFromTime(plan.publishedFrom)
  let last = list.segmentFromTime(plan.publishedTo)
  if (after !== null && backwards) last = Math.min(last, list.segmentAtPosition(after))
  if (after !== null && !backwards) first = Math.max(first, list.segmentAtPosition(after))
  last = Math.min(last, segments.length - 1)
  for (let count = 0; count <= last - first && next === null; count++) {
    // Nothing is left to do after the last segment: most pages need one step.
    if (count > 0) yield
    const segment = segments[backwards ? last - count : first + count]!
    if (shape && work) yield* addMatchesInShape(segment, walkMatches, shape, work, addMatch)
    else walkMatches(segment, addMatch)
  }
  return { slots, next }
}

/** Collects the candidates of the segment first, to compare them with the shape step by step. */
function* addMatchesInShape(
  segment: Segment,
  walkMatches: (segment: Segment, visit: (slot: number) => boolean) => boolean,
  isInShape: (slot: number) => boolean,
  work: WorkLimit,
  addMatch: (slot: number) => boolean,
): Steps<void> {
  const candidates: number[] = []
  walkMatches(segment, (slot) => candidates.push(slot) > 0)
  for (let start = 0; start < candidates.length; start += work.incidentsPerStep) {
    const compared = candidates.slice(start, start + work.incidentsPerStep)
    work.countCompared(compared.length)
    for (const slot of compared) if (isInShape(slot) && !addMatch(slot)) return
    yield
  }
}
