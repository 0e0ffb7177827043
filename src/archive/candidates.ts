import type { Columns } from './columns.ts'
import type { Plan } from './plan.ts'
import { countOf, type Postings } from './postings.ts'
import { SEGMENT_CAPACITY, type Segment } from './segment.ts'

/** Takes a place in the segment; false ends the walk. */
export type Visit = (place: number) => boolean

const bits = new Uint32Array(SEGMENT_CAPACITY / 32)

/**
 * Walks the places of a segment from `low` up to but not including `high` that the best-fitting postings offer, in
 * published order or backwards. Returns false where the visitor ended the walk.
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
  let fewest = high - low
  let best: { postings: Postings; values: readonly number[] } | null = null
  if (plan.wanted.length > 0) {
    const all = segment.postings(columns)
    for (const { dimension, values } of plan.wanted) {
      const postings = all[dimension]
      const count = countOf(postings, values)
      if (count < fewest) {
        fewest = count
        best = { postings, values }
      }
    }
  }
  if (fewest === 0) return true
  if (best === null) return walkRange(low, high, backwards, visit)
  if (best.values.length === 1) return walkList(best.postings, best.values[0]!, low, high, backwards, visit)
  return walkUnion(best.postings, best.values, low, high, backwards, visit)
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
function walkUnion(
  { starts, places }: Postings,
  values: readonly number[],
  low: number,
  high: number,
  backwards: boolean,
  visit: Visit,
): boolean {
  bits.fill(0)
  for (const value of values) {
    if (value >= starts.length - 1) continue
    for (let index = starts[value]!; index < starts[value + 1]!; index++) {
      const place = places[index]!
      if (place >= low && place < high) bits[place >>> 5]! |= 1 << (place & 31)
    }
  }
  return backwards ? walkBitsBackwards(low, high, visit) : walkBits(low, high, visit)
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
