import { Problem } from '../../domain/errors.ts'
import type { Filter } from '../../filter/filter.ts'
import type { Order } from '../../filter/listing.ts'
import type { Box } from '../../lib/geometry.ts'
import { phraseWords } from '../../lib/search-terms.ts'
import type { Steps } from '../../lib/steps.ts'
import type { Columns, Position } from '../columns/columns.ts'
import type { Segment, SegmentList } from '../segments/published-order.ts'
import { SEGMENT_CAPACITY } from '../segments/segment-indexes.ts'
import type { WordMatches } from '../words/word-index.ts'
import { columnFiltersFor, undecidedBy } from './column-filters.ts'
import { allOf, gatherCandidates, planQuery, type QueryPlan, type SlotTest, walkCandidates } from './query-plan.ts'

export interface PageQuery extends MatchQuery {
  readonly order: Order
  readonly limit: number
  /** Continues after this position; null starts at the end that the order names. */
  readonly after: Position | null
}

export interface SlotPage {
  readonly slots: readonly number[]
  /** The first slot of the next page. */
  readonly next: number | null
}

/**
 * Finds the first matches in order. Seeks by position: skipping to `after` costs nothing. A step is
 * one segment, or less where shapes or phrases are compared.
 */
export function* findPage(query: PageQuery, columns: Columns, list: SegmentList): Steps<SlotPage> {
  const { limit, after, now } = query
  const backwards = query.order === 'newest'
  const { words = null } = query
  const plan = planQuery(query.filter, columns, now)
  const shape = allOf(plan.shape, query.hasPhrases ?? null)
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
    return walkCandidates(segment, columns, plan, words, low, high, backwards, (offset, known) => {
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
  let last = words?.isNone ? -1 : list.segmentFromTime(plan.publishedTo)
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

export interface MatchQuery {
  readonly filter: Filter
  /** The time that `since` counts back from. */
  readonly now: number
  /** The slots with the words of the filter, which the view finds. */
  readonly words?: WordMatches | null
  /** Tells whether the summary has the phrases of the filter, by reading it. */
  readonly hasPhrases?: SlotTest | null
  /** Skips most incidents outside this box, but not all. */
  readonly area?: Box | null
}

/** Receives slots of one segment in published order. It may change the array, which is reused. */
type OnBatch = (slots: Uint32Array, segment: Segment) => void

/**
 * Called for each segment wholly within the window, with the conditions that its bounds leave
 * undecided; returns true if its sums were enough.
 */
type TrySummary = (segment: Segment, undecided: Filter) => boolean

/** The order of segments. */
type SegmentOrder = 'oldest first' | 'newest first'

/** Shared by all queries, so it holds nothing from one step to the next. */
const sharedBatch = new Uint32Array(SEGMENT_CAPACITY)

/**
 * Passes on all matches by segment: a call per incident would cost too much for a million. A step
 * is one segment, or less where shapes or phrases are compared.
 */
export function* matchInBatches(
  query: MatchQuery,
  columns: Columns,
  list: SegmentList,
  order: SegmentOrder,
  take: OnBatch,
  summarise: TrySummary | null,
): Steps<void> {
  const { filter, words = null } = query
  if (words?.isNone) return
  const plan = planQuery(filter, columns, query.now, query.area)
  const columnFilters = columnFiltersFor(filter, columns)
  const shape = allOf(plan.shape, query.hasPhrases ?? null)
  const work = shape && new WorkLimit(filter)
  const batch = shape ? new Uint32Array(SEGMENT_CAPACITY) : sharedBatch
  for (const segment of segmentsIn(plan, list, order)) {
    const low = list.offsetIn(segment, (slot) => columns.publishedAt[slot]! - plan.publishedFrom)
    const high = list.offsetIn(segment, (slot) => columns.publishedAt[slot]! - plan.publishedTo)
    const undecided = low < high ? undecidedBy(segment.bounds(columns), filter) : null
    if (undecided !== null && !(high - low === segment.size && summarise?.(segment, undecided))) {
      const gathered = gatherCandidates(segment, columns, plan, words, low, high, batch)
      let { count } = gathered
      for (const { known, fields, run } of columnFilters) {
        if (count > 0 && (known & gathered.known) === 0 && fields.some((field) => undecided[field] !== null))
          count = run(batch, count)
      }
      if (shape && work) count = yield* keepInShape(batch, count, shape, work)
      if (count > 0) take(batch.subarray(0, count), segment)
    }
    yield
  }
}

/** Returns the segments that may have incidents of the publication window. */
function segmentsIn(plan: QueryPlan, list: SegmentList, order: SegmentOrder): readonly Segment[] {
  const first = list.segmentFromTime(plan.publishedFrom)
  const last = list.segmentFromTime(plan.publishedTo)
  const segments = list.segments.slice(first, last + 1)
  return order === 'oldest first' ? segments : segments.reverse()
}

/** Moves the slots in the shape to the front, in order; returns their number. */
function* keepInShape(
  slots: Uint32Array,
  count: number,
  isInShape: (slot: number) => boolean,
  work: WorkLimit,
): Steps<number> {
  let kept = 0
  for (let start = 0; start < count; ) {
    const end = Math.min(count, start + work.incidentsPerStep)
    work.countCompared(end - start)
    for (let index = start; index < end; index++) if (isInShape(slots[index]!)) slots[kept++] = slots[index]!
    start = end
    yield
  }
  return kept
}

const WINDOW: readonly (keyof Filter)[] = ['since', 'publishedFrom', 'publishedTo']

/** Tells whether the filter restricts only these fields and the publication time. */
export function restrictsOnly(filter: Filter, fields: readonly (keyof Filter)[]): boolean {
  const names = Object.keys(filter) as (keyof Filter)[]
  return names.every((name) => filter[name] === null || WINDOW.includes(name) || fields.includes(name))
}

/**
 * The most comparisons of incidents with positions of shapes in one question: the largest polygon
 * and route on 1,300,000 incidents. Indexes of the shapes spare nearly all of them, which leaves
 * about two seconds of a processor; a shape could be drawn so that they do not.
 */
export const MAX_COMPARISONS = 2_000_000_000

/** Comparisons in one step, a fraction of a millisecond. */
const COMPARISONS_PER_STEP = 100_000

/** The grid of sites leaves about this share of a list to compare with. */
const COMPARED_SITES = 1 / 25

/**
 * The positions of the filter's polygon, route and sites, each of which an incident is compared
 * with.
 */
export function positionsIn({ region, route, sites }: Pick<Filter, 'region' | 'route' | 'sites'>): number {
  const rings = region?.polygons.flat() ?? []
  return (
    rings.reduce((sum, ring) => sum + ring.length / 2, 0) +
    (route?.line.length ?? 0) / 2 +
    Math.ceil((sites?.size ?? 0) * COMPARED_SITES)
  )
}

/** Looking for phrases in a summary takes as long as this many comparisons with positions. */
const COMPARISONS_PER_SUMMARY = 200

/**
 * Limits what one question with a shape or a phrase may cost; they alone cost more than a glance.
 */
export class WorkLimit {
  /** The comparisons for one incident. */
  readonly #comparisons: number
  #left: number

  constructor(filter: Filter, max = MAX_COMPARISONS) {
    const hasPhrase = filter.words?.some((term) => phraseWords(term) !== null) ?? false
    this.#comparisons = positionsIn(filter) + (hasPhrase ? COMPARISONS_PER_SUMMARY : 0)
    this.#left = max
  }

  /** The number of incidents that one step may compare. */
  get incidentsPerStep(): number {
    return Math.max(1, Math.floor(COMPARISONS_PER_STEP / Math.max(1, this.#comparisons)))
  }

  /** Throws a `Problem` if the question has compared too much. */
  countCompared(incidents: number): void {
    this.#left -= incidents * this.#comparisons
    if (this.#left >= 0) return
    throw new Problem(
      'too_much_work',
      `The question compares more incidents with its shape or its phrase than one question may ` +
        `(${MAX_COMPARISONS.toLocaleString('en')} comparisons, ${this.#comparisons} for each incident). Shorten the window of time, give states, LGAs or types as well, or simplify the shape.`,
    )
  }
}
