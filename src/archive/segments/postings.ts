import type { Columns } from '../columns/columns.ts'

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
