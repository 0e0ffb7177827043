import { PRECISIONS } from '../../domain/incident.ts'
import { startOfPeriod, TIME_ZONES } from '../../lib/calendar.ts'
import { CasualtySums } from '../columns/casualty-column.ts'
import { type Columns, MERCATOR_BITS } from '../columns/columns.ts'

/**
 * Smaller makes an arrival cheaper (it re-indexes the newest segment), larger a scan over decades.
 * An offset in a segment must fit into 16 bits.
 */
export const SEGMENT_CAPACITY = 8192

/** The offsets that have value v, ascending: `offsets[starts[v]] … offsets[starts[v + 1] - 1]`. */
export interface Postings {
  readonly starts: Uint32Array
  readonly offsets: Uint16Array
  /** The same as bitmaps, for frequent values; built on first use. */
  readonly bitmaps: (Int32Array | undefined)[]
}

/** Builds postings by a counting sort: two passes, no comparison. */
export function buildPostings(
  column: Uint8Array | Uint16Array,
  slots: Uint32Array,
  size: number,
  values: number,
): Postings {
  const starts = new Uint32Array(values + 1)
  for (let offset = 0; offset < size; offset++) starts[column[slots[offset]!]! + 1]!++
  for (let value = 0; value < values; value++) starts[value + 1]! += starts[value]!
  const next = starts.slice(0, values)
  const offsets = new Uint16Array(size)
  for (let offset = 0; offset < size; offset++) {
    const value = column[slots[offset]!]!
    offsets[next[value]!++] = offset
  }
  return { starts, offsets, bitmaps: [] }
}

/** Counts the offsets of these values. A value added after the postings were built has none. */
export function postingCount(postings: Postings, values: readonly number[]): number {
  let count = 0
  for (const value of values) {
    if (value < postings.starts.length - 1) count += postings.starts[value + 1]! - postings.starts[value]!
  }
  return count
}

/** From this many offsets on, a bitmap is faster to merge than a list, and hardly larger. */
const MIN_BITMAP_COUNT = 128

export function addToBitmap(target: Int32Array, postings: Postings, value: number): void {
  const { starts, offsets, bitmaps } = postings
  if (value >= starts.length - 1) return
  const start = starts[value]!
  const end = starts[value + 1]!
  if (end - start < MIN_BITMAP_COUNT) {
    setBits(target, offsets, start, end)
    return
  }
  let bitmap = bitmaps[value]
  if (bitmap === undefined) {
    bitmap = new Int32Array(target.length)
    setBits(bitmap, offsets, start, end)
    bitmaps[value] = bitmap
  }
  for (let word = 0; word < target.length; word++) target[word]! |= bitmap[word]!
}

function setBits(target: Int32Array, offsets: Uint16Array, start: number, end: number): void {
  for (let index = start; index < end; index++) {
    const offset = offsets[index]!
    target[offset >>> 5]! |= 1 << (offset & 31)
  }
}

/**
 * The least and greatest values in a segment: they decide most conditions without its incidents.
 */
export interface SegmentBounds {
  readonly leastConfidence: number
  readonly greatestConfidence: number
  /** Times in ms. */
  readonly firstOccurrence: number
  readonly latestOccurrence: number
}

export function boundsOf(slots: Uint32Array, { confidence, occurredAt }: Columns): SegmentBounds {
  let [leastConfidence, greatestConfidence] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [firstOccurrence, latestOccurrence] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let offset = 0; offset < slots.length; offset++) {
    const slot = slots[offset]!
    if (confidence[slot]! < leastConfidence) leastConfidence = confidence[slot]!
    if (confidence[slot]! > greatestConfidence) greatestConfidence = confidence[slot]!
    if (occurredAt[slot]! < firstOccurrence) firstOccurrence = occurredAt[slot]!
    if (occurredAt[slot]! > latestOccurrence) latestOccurrence = occurredAt[slot]!
  }
  return { leastConfidence, greatestConfidence, firstOccurrence, latestOccurrence }
}

// Reused: otherwise a start would leave 20 MB of them for the garbage collector.
const keyOfOffset = new Int32Array(SEGMENT_CAPACITY)
const numberOfOffset = new Int32Array(SEGMENT_CAPACITY)

/** Cells are tiles of this zoom, 78 km wide; one zoom more would take four times the memory. */
export const CELL_ZOOM = 9
const CELL_SHIFT = MERCATOR_BITS - CELL_ZOOM

/**
 * Sums by cell and severity, in the order of their newest incidents. A tile reads only these: a
 * read from the columns waits for memory.
 */
export interface SegmentCells {
  /** The cell's row, column and severity; see `cellKey`. */
  readonly keys: Int32Array
  readonly sums: CellSums
}

const SEVERITY_BITS = 2
const SEVERITY_MASK = (1 << SEVERITY_BITS) - 1
const COLUMN_MASK = (1 << CELL_ZOOM) - 1

function cellKey(x: number, y: number, severity: number): number {
  return ((((y >> CELL_SHIFT) << CELL_ZOOM) | (x >> CELL_SHIFT)) << SEVERITY_BITS) | severity
}

/** The column and row of the cell at a zoom up to `CELL_ZOOM`, and the severity, of a key. */
export const keyColumn = (key: number, zoom: number) => ((key >> SEVERITY_BITS) & COLUMN_MASK) >> (CELL_ZOOM - zoom)
export const keyRow = (key: number, zoom: number) => key >> (SEVERITY_BITS + CELL_ZOOM + CELL_ZOOM - zoom)
export const keySeverity = (key: number) => key & SEVERITY_MASK

/** Sums a segment's incidents by cell and severity, for tiles that show much of the country. */
export function cellsOf(slots: Uint32Array, bounds: SegmentBounds, columns: Columns): SegmentCells {
  const { x, y, severity } = columns
  for (let offset = 0; offset < slots.length; offset++) {
    const slot = slots[offset]!
    keyOfOffset[offset] = cellKey(x[slot]!, y[slot]!, severity[slot]!)
  }
  const keys = rankKeys(slots.length, numberKeys(slots.length).length)
  const sums = new CellSums(keys.length)
  sums.addSlots(slots, numberOfOffset, slots.length, columns, bounds.latestOccurrence)
  return { keys, sums }
}

/** The columns by which casualties are summed, besides month and severity. */
export const CASUALTY_DIMENSIONS = ['state', 'type'] as const
export type CasualtyDimension = (typeof CASUALTY_DIMENSIONS)[number]

/** Sums by month, severity and one more column, for statistics over years. */
export interface CasualtySummary {
  /** For each bucket, its first slot, which has the values common to all; in published order. */
  readonly examples: Uint32Array
  readonly sums: CasualtySums
}

export function casualtySummaryOf(slots: Uint32Array, columns: Columns, dimension: CasualtyDimension): CasualtySummary {
  const { publishedAt, severity, casualties } = columns
  const column = columns[dimension]
  let months = 0
  let monthEnd = Number.NEGATIVE_INFINITY
  for (let offset = 0; offset < slots.length; offset++) {
    const slot = slots[offset]!
    const time = publishedAt[slot]!
    if (time >= monthEnd) {
      months++
      monthEnd = endOfMonthInEveryZone(time)
    }
    keyOfOffset[offset] = (months << 10) | (column[slot]! << 2) | severity[slot]!
  }
  const firstOffsets = numberKeys(slots.length)
  const sums = new CasualtySums(firstOffsets.length)
  casualties.addTo(sums, slots, numberOfOffset)
  return { examples: Uint32Array.from(firstOffsets, (offset) => slots[offset]!), sums }
}

/**
 * Ends a summary at the months of every time zone, so that none of its sums lies in two months of
 * one. The hours between the ends are buckets of their own: 12 a year.
 */
function endOfMonthInEveryZone(time: number): number {
  return Math.min(...TIME_ZONES.map((zone) => startOfPeriod('month', time, zone, 1)))
}

/**
 * Renumbers `numberOfOffset` by the last occurrence of each key, and returns the keys in that
 * order.
 */
function rankKeys(count: number, total: number): Int32Array {
  const ranks = new Int32Array(total).fill(-1)
  const keys = new Int32Array(total)
  for (let offset = count - 1, next = total; offset >= 0; offset--) {
    const number = numberOfOffset[offset]!
    if (ranks[number] === -1) {
      ranks[number] = --next
      keys[next] = keyOfOffset[offset]!
    }
    numberOfOffset[offset] = ranks[number]!
  }
  return keys
}

/** Numbers keys by first occurrence, in `numberOfOffset`; returns each number's first offset. */
function numberKeys(count: number): number[] {
  const known = new Map<number, number>()
  const firstOffsets: number[] = []
  for (let offset = 0; offset < count; offset++) {
    const key = keyOfOffset[offset]!
    let number = known.get(key)
    if (number === undefined) {
      number = firstOffsets.push(offset) - 1
      known.set(key, number)
    }
    numberOfOffset[offset] = number
  }
  return firstOffsets
}

/** An area that the incidents of a cell do not share, or of a cell without incidents. */
export const NO_AREA = -1
const MIXED_AREAS = -2

/** From this index in `PRECISIONS` on, only the LGA or the state is known. */
const FIRST_IMPRECISE = PRECISIONS.indexOf('lga')

// A cell's numbers lie side by side. In an array for each of them, adding a cell took eight times
// as long: it waits for memory at every array.
const COUNT = 0
const IMPRECISE = 1
const WEST = 2
const EAST = 3
const NORTH = 4
const SOUTH = 5
const NEWEST = 6
const STATE = 7
const LGA = 8
const INTEGERS = 9

const SUM_X = 0
const SUM_Y = 1
const NEWEST_OCCURRED_AT = 2
const DOUBLES = 3

const GREATEST_INTEGER = 0x7fffffff

// Shared by all sums, so they hold nothing from one call to the next.
const ends = new Int32Array(SEGMENT_CAPACITY + 1)
const sorted = new Uint32Array(SEGMENT_CAPACITY)

interface CellTotals {
  readonly count: number
  /** The number without a precise place. */
  readonly imprecise: number
  readonly sumX: number
  readonly sumY: number
  readonly west: number
  readonly east: number
  readonly north: number
  readonly south: number
  /** A slot; the newest by publication. */
  readonly newest: number
  /** The latest time of occurrence, in ms. */
  readonly newestOccurredAt: number
  /**
   * The numbers of the state and the LGA that all incidents of the cell have in common; else
   * `NO_AREA`.
   */
  readonly state: number
  readonly lga: number
}

/**
 * Sums of incidents by cell. Incidents are added newest first, by publication: the newest of a cell
 * is then its first, and few older ones change its latest occurrence.
 */
export class CellSums {
  readonly #integers: Int32Array
  readonly #doubles: Float64Array

  constructor(cells: number) {
    const integers = new Int32Array(cells * INTEGERS)
    const doubles = new Float64Array(cells * DOUBLES)
    for (let at = 0; at < integers.length; at += INTEGERS) {
      integers[at + WEST] = integers[at + NORTH] = GREATEST_INTEGER
      integers[at + EAST] = integers[at + SOUTH] = -1
      integers[at + STATE] = integers[at + LGA] = NO_AREA
    }
    for (let at = NEWEST_OCCURRED_AT; at < doubles.length; at += DOUBLES) doubles[at] = Number.NEGATIVE_INFINITY
    this.#integers = integers
    this.#doubles = doubles
  }

  countOf(cell: number): number {
    return this.#integers[cell * INTEGERS + COUNT]!
  }

  newestOf(cell: number): number {
    return this.#integers[cell * INTEGERS + NEWEST]!
  }

  totalsOf(cell: number): CellTotals {
    const [integers, doubles] = [this.#integers, this.#doubles]
    const [at, from] = [cell * INTEGERS, cell * DOUBLES]
    return {
      count: integers[at + COUNT]!,
      imprecise: integers[at + IMPRECISE]!,
      sumX: doubles[from + SUM_X]!,
      sumY: doubles[from + SUM_Y]!,
      west: integers[at + WEST]!,
      east: integers[at + EAST]!,
      north: integers[at + NORTH]!,
      south: integers[at + SOUTH]!,
      newest: integers[at + NEWEST]!,
      newestOccurredAt: doubles[from + NEWEST_OCCURRED_AT]!,
      state: Math.max(NO_AREA, integers[at + STATE]!),
      lga: Math.max(NO_AREA, integers[at + LGA]!),
    }
  }

  /**
   * Adds each of the first `count` slots, which are in published order, to its cell. They are
   * sorted by cell first: the sums of one cell then stay in registers while its slots are read.
   * None of them occurred after `latestOccurrence`: for most, the time itself need not be read from
   * memory.
   */
  addSlots(slots: Uint32Array, cells: Int32Array, count: number, columns: Columns, latestOccurrence: number): void {
    const total = this.#integers.length / INTEGERS
    ends.fill(0, 0, total + 1)
    for (let index = 0; index < count; index++) ends[cells[index]! + 1]!++
    for (let cell = 0; cell < total; cell++) ends[cell + 1]! += ends[cell]!
    for (let index = 0; index < count; index++) sorted[ends[cells[index]!]!++] = slots[index]!
    for (let cell = 0, start = 0; cell < total; cell++) {
      const end = ends[cell]!
      if (end > start) this.#addSorted(cell, start, end, columns, latestOccurrence)
      start = end
    }
  }

  #addSorted(cell: number, start: number, end: number, columns: Columns, latestOccurrence: number): void {
    const { x, y, precision, occurredAt } = columns
    const integers = this.#integers
    const doubles = this.#doubles
    const at = cell * INTEGERS
    const from = cell * DOUBLES
    let sumX = 0
    let sumY = 0
    let imprecise = 0
    let west = integers[at + WEST]!
    let east = integers[at + EAST]!
    let north = integers[at + NORTH]!
    let south = integers[at + SOUTH]!
    let newestOccurredAt = doubles[from + NEWEST_OCCURRED_AT]!
    for (let index = end - 1; index >= start; index--) {
      const slot = sorted[index]!
      const atX = x[slot]!
      const atY = y[slot]!
      sumX += atX
      sumY += atY
      if (atX < west) west = atX
      if (atX > east) east = atX
      if (atY < north) north = atY
      if (atY > south) south = atY
      if (precision[slot]! >= FIRST_IMPRECISE) imprecise++
      if (latestOccurrence > newestOccurredAt && occurredAt[slot]! > newestOccurredAt)
        newestOccurredAt = occurredAt[slot]!
    }
    if (integers[at + COUNT] === 0) integers[at + NEWEST] = sorted[end - 1]!
    integers[at + COUNT]! += end - start
    integers[at + IMPRECISE]! += imprecise
    integers[at + WEST] = west
    integers[at + EAST] = east
    integers[at + NORTH] = north
    integers[at + SOUTH] = south
    doubles[from + SUM_X]! += sumX
    doubles[from + SUM_Y]! += sumY
    doubles[from + NEWEST_OCCURRED_AT] = newestOccurredAt
    addAreas(integers, at + STATE, start, end, columns.state)
    addAreas(integers, at + LGA, start, end, columns.lga)
  }

  /**
   * Adds cell `other` of `others`, which has incidents; the newest of them is older than that of
   * `cell`.
   */
  addOlderCell(cell: number, others: CellSums, other: number): void {
    const integers = this.#integers
    const doubles = this.#doubles
    const more = others.#integers
    const moreDoubles = others.#doubles
    const at = cell * INTEGERS
    const from = cell * DOUBLES
    const moreAt = other * INTEGERS
    const moreFrom = other * DOUBLES
    if (integers[at + COUNT] === 0) integers[at + NEWEST] = more[moreAt + NEWEST]!
    integers[at + COUNT]! += more[moreAt + COUNT]!
    integers[at + IMPRECISE]! += more[moreAt + IMPRECISE]!
    doubles[from + SUM_X]! += moreDoubles[moreFrom + SUM_X]!
    doubles[from + SUM_Y]! += moreDoubles[moreFrom + SUM_Y]!
    if (more[moreAt + WEST]! < integers[at + WEST]!) integers[at + WEST] = more[moreAt + WEST]!
    if (more[moreAt + EAST]! > integers[at + EAST]!) integers[at + EAST] = more[moreAt + EAST]!
    if (more[moreAt + NORTH]! < integers[at + NORTH]!) integers[at + NORTH] = more[moreAt + NORTH]!
    if (more[moreAt + SOUTH]! > integers[at + SOUTH]!) integers[at + SOUTH] = more[moreAt + SOUTH]!
    const occurredAt = moreDoubles[moreFrom + NEWEST_OCCURRED_AT]!
    if (occurredAt > doubles[from + NEWEST_OCCURRED_AT]!) doubles[from + NEWEST_OCCURRED_AT] = occurredAt
    addArea(integers, at + STATE, more[moreAt + STATE]!)
    addArea(integers, at + LGA, more[moreAt + LGA]!)
  }
}

/** Ends at the first area that differs: most cells with many incidents have several. */
function addAreas(
  integers: Int32Array,
  at: number,
  start: number,
  end: number,
  column: Uint8Array | Uint16Array,
): void {
  for (let index = start; index < end && integers[at] !== MIXED_AREAS; index++)
    addArea(integers, at, column[sorted[index]!]!)
}

function addArea(integers: Int32Array, at: number, area: number): void {
  const shared = integers[at]!
  if (shared !== area && shared !== MIXED_AREAS) integers[at] = shared === NO_AREA ? area : MIXED_AREAS
}
