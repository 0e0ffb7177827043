import type { Columns } from '../columns/columns.ts'
import { addToBitmap, type Postings, postingCount, SEGMENT_CAPACITY } from '../segments/postings.ts'
import type { Segment } from '../segments/segment.ts'
import { DIMENSION_BITS, type QueryPlan } from './query-plan.ts'

/** Receives an offset in the segment and the dimensions known to match; false ends the walk. */
type VisitOffset = (offset: number, known: number) => boolean

const WORDS = SEGMENT_CAPACITY / 32
/** Checking this few candidates one by one is faster than intersecting further lists. */
const MAX_SCANNED = 64
const bits = new Int32Array(WORDS)
const otherBits = new Int32Array(WORDS)

interface PostingLists {
  readonly known: number
  readonly postings: Postings
  readonly values: readonly number[]
  readonly count: number
}

/** Visits candidates in [`low`, `high`), in either order; returns false if the visitor ended it. */
export function walkCandidates(
  segment: Segment,
  columns: Columns,
  plan: QueryPlan,
  low: number,
  high: number,
  backwards: boolean,
  visit: VisitOffset,
): boolean {
  const useful = usefulLists(segment, columns, plan, high - low)
  if (useful.length === 0) return walkRange(low, high, backwards, visit)
  return walkLists(useful, low, high, backwards, visit)
}

/** Collects candidate slots in published order; returns their number and matched dimensions. */
export function gatherCandidates(
  segment: Segment,
  columns: Columns,
  plan: QueryPlan,
  low: number,
  high: number,
  target: Uint32Array,
): { count: number; known: number } {
  const useful = usefulLists(segment, columns, plan, high - low)
  if (useful.length === 0) {
    target.set(segment.slots.subarray(low, high))
    return { count: high - low, known: 0 }
  }
  let count = 0
  let known = 0
  walkLists(useful, low, high, false, (offset, dimensions) => {
    target[count++] = segment.slots[offset]!
    known = dimensions
    return true
  })
  return { count, known }
}

function walkLists(
  useful: readonly PostingLists[],
  low: number,
  high: number,
  backwards: boolean,
  visit: VisitOffset,
): boolean {
  const best = useful[0]!
  if (best.count === 0) return true
  const alone = useful.length === 1 || best.count <= MAX_SCANNED
  if (alone && best.values.length === 1) return walkList(best, low, high, backwards, visit)
  fillBitmap(bits, best)
  let { known } = best
  for (let index = 1; index < useful.length && !alone; index++) {
    fillBitmap(otherBits, useful[index]!)
    known |= useful[index]!.known
    for (let word = 0; word < WORDS; word++) bits[word]! &= otherBits[word]!
  }
  return backwards ? walkBitsBackwards(low, high, known, visit) : walkBits(low, high, known, visit)
}

/** Selects the postings that leave less than half of the range, most selective first. */
function usefulLists(segment: Segment, columns: Columns, plan: QueryPlan, range: number): PostingLists[] {
  if (plan.wanted.length === 0) return []
  const all = segment.postings(columns)
  const lists: PostingLists[] = []
  for (const { dimension, values } of plan.wanted) {
    const count = postingCount(all[dimension], values)
    if (count * 2 < range) lists.push({ known: DIMENSION_BITS[dimension], postings: all[dimension], values, count })
  }
  return lists.sort((one, other) => one.count - other.count)
}

function walkRange(low: number, high: number, backwards: boolean, visit: VisitOffset): boolean {
  if (backwards) {
    for (let offset = high - 1; offset >= low; offset--) if (!visit(offset, 0)) return false
  } else {
    for (let offset = low; offset < high; offset++) if (!visit(offset, 0)) return false
  }
  return true
}

function walkList(list: PostingLists, low: number, high: number, backwards: boolean, visit: VisitOffset): boolean {
  const { known, postings, values } = list
  const { starts, offsets } = postings
  const last = starts[values[0]! + 1]!
  const start = firstAtLeast(offsets, starts[values[0]!]!, last, low)
  const end = firstAtLeast(offsets, start, last, high)
  if (backwards) {
    for (let index = end - 1; index >= start; index--) if (!visit(offsets[index]!, known)) return false
  } else {
    for (let index = start; index < end; index++) if (!visit(offsets[index]!, known)) return false
  }
  return true
}

/** Merges several lists through a bitmap: no sorting, no merging by comparison. */
function fillBitmap(target: Int32Array, { postings, values }: PostingLists): void {
  target.fill(0)
  for (const value of values) addToBitmap(target, postings, value)
}

function walkBits(low: number, high: number, known: number, visit: VisitOffset): boolean {
  for (let word = low >>> 5; word <= (high - 1) >>> 5; word++) {
    for (let rest = wordWithin(word, low, high); rest !== 0; rest &= rest - 1) {
      if (!visit(word * 32 + 31 - Math.clz32(rest & -rest), known)) return false
    }
  }
  return true
}

function walkBitsBackwards(low: number, high: number, known: number, visit: VisitOffset): boolean {
  for (let word = (high - 1) >>> 5; word >= low >>> 5; word--) {
    for (let rest = wordWithin(word, low, high); rest !== 0; ) {
      const bit = 31 - Math.clz32(rest)
      if (!visit(word * 32 + bit, known)) return false
      rest &= ~(1 << bit)
    }
  }
  return true
}

/** Returns the word's bits from `low` up to but excluding `high`. */
function wordWithin(word: number, low: number, high: number): number {
  let bitsOfWord = bits[word]!
  if (word === low >>> 5) bitsOfWord &= -1 << (low & 31)
  if (word === (high - 1) >>> 5) bitsOfWord &= -1 >>> (31 - ((high - 1) & 31))
  return bitsOfWord
}

function firstAtLeast(offsets: Uint16Array, start: number, end: number, least: number): number {
  let low = start
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (offsets[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}
