import type { Filter } from '../../filter/filter.ts'
import { boundingBoxOf, cellsIn, inCircle, publishedFrom } from '../../filter/matches.ts'
import { regionTester, routeTester } from '../../filter/shapes.ts'
import { type Box, isInBox } from '../../lib/geometry.ts'
import { type Columns, type Dictionary, hundredths, mercatorBoxAround } from '../columns/columns.ts'
import type { Dimension, Segment } from '../segments/published-order.ts'
import { addToBitmap, type Postings, postingCount, SEGMENT_CAPACITY } from '../segments/segment-indexes.ts'
import type { WordMatches } from '../words/word-index.ts'

/** More cells than this do not help: nearly everything lies in them. */
const MAX_CELLS = 300

export type SlotTest = (slot: number) => boolean

/** A test that both pass; null if there is none. */
export function allOf(one: SlotTest | null, other: SlotTest | null): SlotTest | null {
  if (one === null || other === null) return one ?? other
  return (slot) => one(slot) && other(slot)
}

/** A filter, translated into the numbers of the archive's columns at one moment. */
export interface QueryPlan {
  readonly publishedFrom: number
  readonly publishedTo: number
  /** For each indexed dimension that the filter restricts, the accepted values. */
  readonly wanted: readonly { readonly dimension: Dimension; readonly values: readonly number[] }[]
  /**
   * Tells whether the slot matches, apart from the publication window and the shapes. Skips the
   * dimensions in `known` (`DIMENSION_BITS`), which postings decided: reading them only waits for
   * memory.
   */
  readonly matches: (slot: number, known: number) => boolean
  /**
   * Tells whether the slot is in the polygon, near the route and near a site; null if the filter
   * has none.
   */
  readonly shape: SlotTest | null
}

/** `area` only reduces the candidates; some outside it may remain. */
export function planQuery(filter: Filter, columns: Columns, now: number, area: Box | null = null): QueryPlan {
  const box = intersection(boundingBoxOf(filter), area)
  const wanted: { dimension: Dimension; values: readonly number[] }[] = []
  const want = (dimension: Dimension, values: readonly number[] | null) => values && wanted.push({ dimension, values })
  want('state', numbersOf(filter.states, columns.states))
  want('lga', numbersOf(filter.lgas, columns.lgas))
  want('type', numbersOf(filter.types, columns.types))
  want('severity', numbersOf(filter.severities, columns.severities))
  const cells = box && cellsIn(box)
  if (cells && cells.length <= MAX_CELLS) want('cell', cells)
  return {
    publishedFrom: publishedFrom(filter, now),
    publishedTo: filter.publishedTo ?? Number.POSITIVE_INFINITY,
    wanted,
    matches: slotMatcher(filter, columns),
    shape: shapeMatcher(filter, columns),
  }
}

function intersection(one: Box | null, other: Box | null): Box | null {
  if (one === null || other === null) return one ?? other
  return {
    west: Math.max(one.west, other.west),
    south: Math.max(one.south, other.south),
    east: Math.min(one.east, other.east),
    north: Math.min(one.north, other.north),
  }
}

function numbersOf(texts: readonly string[] | null, dictionary: Dictionary): readonly number[] | null {
  if (texts === null) return null
  return texts.map((text) => dictionary.numberOf(text)).filter((number) => number !== undefined)
}

/** One bit per dimension. A cell is coarser than a box, so it never proves a match. */
export const DIMENSION_BITS: Readonly<Record<Dimension, number>> = { state: 1, lga: 2, type: 4, severity: 8, cell: 0 }

const NOWHERE: Box = { west: 0, south: 0, east: 0, north: 0 }

function slotMatcher(filter: Filter, columns: Columns): QueryPlan['matches'] {
  const states = membershipMask(filter.states, columns.states)
  const lgas = membershipMask(filter.lgas, columns.lgas)
  const types = membershipMask(filter.types, columns.types)
  const severities = membershipMask(filter.severities, columns.severities)
  const datasets = membershipMask(filter.datasets, columns.datasets)
  const { state, lga, type, severity, dataset, confidence, occurredAt, lat, lng } = columns
  const { confidenceHundredths, x, y } = columns
  const { minConfidence, maxConfidence, occurredFrom, occurredTo, box, circle } = filter
  const leastConfidence = minConfidence === null ? 0 : hundredths(minConfidence)
  const around = boundingBoxOf(filter)
  const { west, south, east, north } = around ? mercatorBoxAround(around) : NOWHERE
  return (slot, known) =>
    (states === null || (known & DIMENSION_BITS.state) !== 0 || states[state[slot]!] === 1) &&
    (lgas === null || (known & DIMENSION_BITS.lga) !== 0 || lgas[lga[slot]!] === 1) &&
    (types === null || (known & DIMENSION_BITS.type) !== 0 || types[type[slot]!] === 1) &&
    (severities === null || (known & DIMENSION_BITS.severity) !== 0 || severities[severity[slot]!] === 1) &&
    (datasets === null || datasets[dataset[slot]!] === 1) &&
    confidenceHundredths[slot]! >= leastConfidence &&
    (around === null || (y[slot]! >= north && y[slot]! <= south && x[slot]! >= west && x[slot]! <= east)) &&
    (minConfidence === null || confidence[slot]! >= minConfidence) &&
    (maxConfidence === null || confidence[slot]! <= maxConfidence) &&
    (occurredFrom === null || occurredAt[slot]! >= occurredFrom) &&
    (occurredTo === null || occurredAt[slot]! < occurredTo) &&
    (box === null || isInBox(box, lat[slot]!, lng[slot]!)) &&
    (circle === null || inCircle(circle, lat[slot]!, lng[slot]!))
}

function shapeMatcher({ region, route, sites }: Filter, columns: Columns): QueryPlan['shape'] {
  if (region === null && route === null && sites === null) return null
  const { lat, lng } = columns
  const isInRegion = region && regionTester(region)
  const isNearRoute = route && routeTester(route)
  return (slot) =>
    (isInRegion === null || isInRegion(lat[slot]!, lng[slot]!)) &&
    (isNearRoute === null || isNearRoute(lat[slot]!, lng[slot]!)) &&
    (sites === null || sites.has(lat[slot]!, lng[slot]!))
}

/** Returns, for each number of a dictionary, 1 if it is wanted. */
export function membershipMask(texts: readonly string[], dictionary: Dictionary): Uint8Array
export function membershipMask(texts: readonly string[] | null, dictionary: Dictionary): Uint8Array | null
export function membershipMask(texts: readonly string[] | null, dictionary: Dictionary): Uint8Array | null {
  const wanted = numbersOf(texts, dictionary)
  if (wanted === null) return null
  const bits = new Uint8Array(dictionary.size)
  for (const number of wanted) bits[number] = 1
  return bits
}

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

/**
 * Visits candidates in [`low`, `high`), all of which have the words, in either order; returns false
 * if the visitor ended it.
 */
export function walkCandidates(
  segment: Segment,
  columns: Columns,
  plan: QueryPlan,
  words: WordMatches | null,
  low: number,
  high: number,
  backwards: boolean,
  visit: VisitOffset,
): boolean {
  const run = words && segment.firstOfSlotRun
  const most = words === null || run === null ? high - low : words.countAtMost(run + low, run + high)
  if (most === 0) return true
  const useful = usefulLists(segment, columns, plan, most)
  if (words === null) return walkUseful(useful, low, high, backwards, visit)
  if (run !== null && useful.length === 0)
    return words.walk(run + low, run + high, backwards, (slot) => visit(slot - run, 0))
  const { slots } = segment
  return walkUseful(useful, low, high, backwards, (offset, known) => !words.has(slots[offset]!) || visit(offset, known))
}

/** Collects candidate slots in published order; returns their number and matched dimensions. */
export function gatherCandidates(
  segment: Segment,
  columns: Columns,
  plan: QueryPlan,
  words: WordMatches | null,
  low: number,
  high: number,
  target: Uint32Array,
): { count: number; known: number } {
  const useful = words === null ? usefulLists(segment, columns, plan, high - low) : null
  if (useful?.length === 0) {
    target.set(segment.slots.subarray(low, high))
    return { count: high - low, known: 0 }
  }
  let count = 0
  let known = 0
  const add: VisitOffset = (offset, dimensions) => {
    target[count++] = segment.slots[offset]!
    known = dimensions
    return true
  }
  if (useful === null) walkCandidates(segment, columns, plan, words, low, high, false, add)
  else walkLists(useful, low, high, false, add)
  return { count, known }
}

function walkUseful(
  useful: readonly PostingLists[],
  low: number,
  high: number,
  backwards: boolean,
  visit: VisitOffset,
): boolean {
  if (useful.length === 0) return walkRange(low, high, backwards, visit)
  return walkLists(useful, low, high, backwards, visit)
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
