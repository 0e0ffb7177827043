import type { Columns } from '../columns/columns.ts'
import { countOf, type Postings, SEGMENT_CAPACITY, unite } from '../segments/postings.ts'
import type { Segment } from '../segments/segment.ts'
import { DIMENSION_BITS, type QueryPlan } from './query-plan.ts'

/** Takes a place in the segment and the dimensions known to hold there; false ends the walk. */
export type Visit = (place: number, known: number) => boolean

const WORDS = SEGMENT_CAPACITY / 32
/** Looking at so few candidates one by one is quicker than columnFilter them down. */
const FEW = 64
const bits = new Int32Array(WORDS)
const narrower = new Int32Array(WORDS)

interface Lists {
  readonly known: number
  readonly postings: Postings
  readonly values: readonly number[]
  readonly count: number
}

/**
 * Walks the places of a segment from `low` up to but not including `high` that the postings offer, in published order
 * or backwards. Returns false where the visitor ended the walk.
 */
export function walk(
  segment: Segment,
  columns: Columns,
  plan: QueryPlan,
  low: number,
  high: number,
  backwards: boolean,
  visit: Visit,
): boolean {
  const useful = usefulLists(segment, columns, plan, high - low)
  if (useful.length === 0) return walkRange(low, high, backwards, visit)
  return walkLists(useful, low, high, backwards, visit)
}

/** The same as slots, all of them, in published order. Returns how many they are, and the dimensions known to hold for them. */
export function gather(
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
  walkLists(useful, low, high, false, (place, dimensions) => {
    target[count++] = segment.slots[place]!
    known = dimensions
    return true
  })
  return { count, known }
}

function walkLists(useful: readonly Lists[], low: number, high: number, backwards: boolean, visit: Visit): boolean {
  const best = useful[0]!
  if (best.count === 0) return true
  const alone = useful.length === 1 || best.count <= FEW
  if (alone && best.values.length === 1) return walkList(best, low, high, backwards, visit)
  uniteAll(bits, best)
  let { known } = best
  for (let index = 1; index < useful.length && !alone; index++) {
    uniteAll(narrower, useful[index]!)
    known |= useful[index]!.known
    for (let word = 0; word < WORDS; word++) bits[word]! &= narrower[word]!
  }
  return backwards ? walkBitsBackwards(low, high, known, visit) : walkBits(low, high, known, visit)
}

/** The postings that leave less than half of the range to look at, the most selective first. */
function usefulLists(segment: Segment, columns: Columns, plan: QueryPlan, range: number): Lists[] {
  if (plan.wanted.length === 0) return []
  const all = segment.postings(columns)
  const lists: Lists[] = []
  for (const { dimension, values } of plan.wanted) {
    const count = countOf(all[dimension], values)
    if (count * 2 < range) lists.push({ known: DIMENSION_BITS[dimension], postings: all[dimension], values, count })
  }
  return lists.sort((one, other) => one.count - other.count)
}

function walkRange(low: number, high: number, backwards: boolean, visit: Visit): boolean {
  if (backwards) {
    for (let place = high - 1; place >= low; place--) if (!visit(place, 0)) return false
  } else {
    for (let place = low; place < high; place++) if (!visit(place, 0)) return false
  }
  return true
}

function walkList(list: Lists, low: number, high: number, backwards: boolean, visit: Visit): boolean {
  const { known, postings, values } = list
  const { starts, places } = postings
  const last = starts[values[0]! + 1]!
  const start = firstAtLeast(places, starts[values[0]!]!, last, low)
  const end = firstAtLeast(places, start, last, high)
  if (backwards) {
    for (let index = end - 1; index >= start; index--) if (!visit(places[index]!, known)) return false
  } else {
    for (let index = start; index < end; index++) if (!visit(places[index]!, known)) return false
  }
  return true
}

/** Several lists become one in order by way of a bitmap: no sorting, no merging. */
function uniteAll(target: Int32Array, { postings, values }: Lists): void {
  target.fill(0)
  for (const value of values) unite(target, postings, value)
}

function walkBits(low: number, high: number, known: number, visit: Visit): boolean {
  for (let word = low >>> 5; word <= (high - 1) >>> 5; word++) {
    for (let rest = wordWithin(word, low, high); rest !== 0; rest &= rest - 1) {
      if (!visit(word * 32 + 31 - Math.clz32(rest & -rest), known)) return false
    }
  }
  return true
}

function walkBitsBackwards(low: number, high: number, known: number, visit: Visit): boolean {
  for (let word = (high - 1) >>> 5; word >= low >>> 5; word--) {
    for (let rest = wordWithin(word, low, high); rest !== 0; ) {
      const bit = 31 - Math.clz32(rest)
      if (!visit(word * 32 + bit, known)) return false
      rest &= ~(1 << bit)
    }
  }
  return true
}

/** The word's bits from `low` up to but not including `high`. */
function wordWithin(word: number, low: number, high: number): number {
  let bitsOfWord = bits[word]!
  if (word === low >>> 5) bitsOfWord &= -1 << (low & 31)
  if (word === (high - 1) >>> 5) bitsOfWord &= -1 >>> (31 - ((high - 1) & 31))
  return bitsOfWord
}

function firstAtLeast(places: Uint16Array, start: number, end: number, least: number): number {
  let low = start
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (places[middle]! < least) low = middle + 1
    else high = middle
  }
  return low
}
