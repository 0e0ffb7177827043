/**
 * How many incidents stand in one segment at most. Smaller makes an arrival cheaper (the newest segment is indexed
 * again), larger makes a walk over decades cheaper; a place must fit into 16 bits.
 */
export const SEGMENT_CAPACITY = 8192

/** For each value of a column, the places in a segment where it stands, in order: `places[starts[v]] … places[starts[v + 1] - 1]`. */
export interface Postings {
  readonly starts: Uint32Array
  readonly places: Uint16Array
  /** The same as bits, for values that stand in many places; made when first asked for. */
  readonly bitmaps: (Int32Array | undefined)[]
}

/** A counting sort: two passes, no comparison. */
export function buildPostings(
  column: Uint8Array | Uint16Array,
  slots: Uint32Array,
  size: number,
  values: number,
): Postings {
  const starts = new Uint32Array(values + 1)
  for (let place = 0; place < size; place++) starts[column[slots[place]!]! + 1]!++
  for (let value = 0; value < values; value++) starts[value + 1]! += starts[value]!
  const next = starts.slice(0, values)
  const places = new Uint16Array(size)
  for (let place = 0; place < size; place++) {
    const value = column[slots[place]!]!
    places[next[value]!++] = place
  }
  return { starts, places, bitmaps: [] }
}

/** How many places the values have together. A value that came after the postings were built has none. */
export function countOf(postings: Postings, values: readonly number[]): number {
  let count = 0
  for (const value of values) {
    if (value < postings.starts.length - 1) count += postings.starts[value + 1]! - postings.starts[value]!
  }
  return count
}

/** From this many places on, a bitmap is quicker to unite than its list, and hardly larger. */
const DENSE = 128

/** Adds the places of a value to a bitmap. */
export function unite(target: Int32Array, postings: Postings, value: number): void {
  const { starts, places, bitmaps } = postings
  if (value >= starts.length - 1) return
  const start = starts[value]!
  const end = starts[value + 1]!
  if (end - start < DENSE) {
    setBits(target, places, start, end)
    return
  }
  let bitmap = bitmaps[value]
  if (bitmap === undefined) {
    bitmap = new Int32Array(target.length)
    setBits(bitmap, places, start, end)
    bitmaps[value] = bitmap
  }
  for (let word = 0; word < target.length; word++) target[word]! |= bitmap[word]!
}

function setBits(target: Int32Array, places: Uint16Array, start: number, end: number): void {
  for (let index = start; index < end; index++) {
    const place = places[index]!
    target[place >>> 5]! |= 1 << (place & 31)
  }
}
