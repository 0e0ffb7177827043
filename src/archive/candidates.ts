import type { Columns } from './columns.ts'
import type { Plan } from './plan.ts'
import { countOf, type Postings } from './postings.ts'
import { SEGMENT_CAPACITY, type Segment } from './segment.ts'

/** Takes a place in the segment; false ends the walk. */
export type Visit = (place: number) => boolean

const WORDS = SEGMENT_CAPACITY / 32
/** Looking at so few candidates one by one is quicker than narrowing them down. */
const FEW = 500
const bits = new Uint32Array(WORDS)
const narrower = new Uint32Array(WORDS)

interface Lists {
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
  plan: Plan,
  low: number,
  high: number,
  backwards: boolean,
  visit: Visit,
): boolean {
  const useful = usefulLists(segment, columns, plan, high - low)
  const best = useful[0]
  if (best === undefined) return walkRange(low, high, backwards, visit)
  if (best.count === 0) return true
  const alone = useful.length === 1 || best.count <= FEW
  if (alone && best.values.length === 1) return walkList(best.postings, best.values[0]!, low, high, backwards, visit)
  unite(bits, best, low, high)
  for (let index = 1; index < useful.length && !alone; index++) {
    unite(narrower, useful[index]!, low, high)
    for (let word = 0; word < WORDS; word++) bits[word]! &= narrower[word]!
  }
  return backwards ? walkBitsBackwards(low, high, visit) : walkBits(low, high, visit)
}

/** The postings that leave less than half of the range to look at, the most selective first. */
function usefulLists(segment: Segment, columns: Columns, plan: Plan, range: number): Lists[] {
  if (plan.wanted.length === 0) return []
  const all = segment.postings(columns)
  const lists: Lists[] = []
  for (const { dimension, values } of plan.wanted) {
    const count = countOf(all[dimension], values)
    if (count * 2 < range) lists.push({ postings: all[dimension], values, count })
  }
  return lists.sort((one, other) => one.count - other.count)
}

function walkRange(low: number, high: number, backwards: boolean, visit: Visit): boolean {
  if (backwards) {
    for (let place = high - 1; place >= low; place--) if (!visit(place)) return false
  } else {
    for (let place = low; place < high; place++) if (!visit(place)) return false
  }
  return true
}

function walkList(
  { starts, places }: Postings,
  value: number,
  low: number,
  high: number,
  backwards: boolean,
  visit: Visit,
): boolean {
  const start = firstAtLeast(places, starts[value]!, starts[value + 1]!, low)
  const end = firstAtLeast(places, start, starts[value + 1]!, high)
  if (backwards) {
    for (let index = end - 1; index >= start; index--) if (!visit(places[index]!)) return false
  } else {
    for (let index = start; index < end; index++) if (!visit(places[index]!)) return false
  }
  return true
}

/** Several lists become one in order by way of a bitmap: no sorting, no merging. */
function unite(target: Uint32Array, { postings: { starts, places }, values }: Lists, low: number, high: number): void {
  target.fill(0)
  for (const value of values) {
    if (value >= starts.length - 1) continue
    for (let index = starts[value]!; index < starts[value + 1]!; index++) {
      const place = places[index]!
      if (place >= low && place < high) target[place >>> 5]! |= 1 << (place & 31)
    }
  }
}

function walkBits(low: number, high: number, visit: Visit): boolean {
  for (let word = low >>> 5; word <= (high - 1) >>> 5; word++) {
    for (let rest = bits[word]!; rest !== 0; rest &= rest - 1) {
      if (!visit(word * 32 + 31 - Math.clz32(rest & -rest))) return false
    }
  }
  return true
}

function walkBitsBackwards(low: number, high: number, visit: Visit): boolean {
  for (let word = (high - 1) >>> 5; word >= low >>> 5; word--) {
    for (let rest = bits[word]!; rest !== 0; ) {
      const bit = 31 - Math.clz32(rest)
      if (!visit(word * 32 + bit)) return false
      rest &= ~(1 << bit)
    }
  }
  return true
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
