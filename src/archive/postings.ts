/** For each value of a column, the places in a segment where it stands, in order: `places[starts[v]] … places[starts[v + 1] - 1]`. */
export interface Postings {
  readonly starts: Uint32Array
  readonly places: Uint16Array
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
  return { starts, places }
}

/** How many places the values have together. A value that came after the postings were built has none. */
export function countOf(postings: Postings, values: readonly number[]): number {
  let count = 0
  for (const value of values) {
    if (value < postings.starts.length - 1) count += postings.starts[value + 1]! - postings.starts[value]!
  }
  return count
}
