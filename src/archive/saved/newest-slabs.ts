export interface SizedSlab {
  readonly bytes: number
  /** The higher, the newer. */
  readonly position: number
}

/** Returns the numbers of the newest slabs that have at most this many bytes together. */
export function newestWithin(most: number, slabs: readonly SizedSlab[]): Set<number> {
  const newestFirst = slabs.map((slab, number) => ({ ...slab, number })).toSorted((a, b) => b.position - a.position)
  const chosen = new Set<number>()
  let left = most
  for (const { bytes, number } of newestFirst) {
    if (bytes > left) break
    left -= bytes
    chosen.add(number)
  }
  return chosen
}
