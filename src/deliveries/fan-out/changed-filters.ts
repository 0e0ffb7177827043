interface Change {
  readonly watchId: string
  readonly seq: number
}

/** Entries that may be outdated before they are sorted out. */
const MIN_SORTED_OUT = 1000

/**
 * Watches whose filter was changed, by the end of the log at that time. Changes come nearly in
 * order, so those since an event are found without looking at all others.
 */
export class ChangedFilters {
  readonly #seqs = new Map<string, number>()
  /**
   * In the order of `seq` unless `isSorted` is false; a watch that was changed again is in it
   * twice.
   */
  #changes: Change[] = []
  #isSorted = true

  /** `seq` 0: the filter was never changed. */
  set(watchId: string, seq: number): void {
    this.#seqs.delete(watchId)
    if (seq === 0) return
    this.#seqs.set(watchId, seq)
    this.#isSorted &&= seq >= (this.#changes.at(-1)?.seq ?? 0)
    this.#changes.push({ watchId, seq })
    if (this.#changes.length > 2 * this.#seqs.size + MIN_SORTED_OUT) this.#changes = this.#changes.filter(this.#counts)
  }

  delete(watchId: string): void {
    this.#seqs.delete(watchId)
  }

  get isEmpty(): boolean {
    return this.#seqs.size === 0
  }

  /**
   * Returns the watches whose filter was changed when the log ended with the event `seq`, or later.
   */
  since(seq: number): string[] {
    if (!this.#isSorted) this.#changes.sort((one, other) => one.seq - other.seq)
    this.#isSorted = true
    const ids = new Set<string>()
    for (let index = this.#changes.length - 1; index >= 0 && this.#changes[index]!.seq >= seq; index--) {
      const change = this.#changes[index]!
      if (this.#counts(change)) ids.add(change.watchId)
    }
    return [...ids]
  }

  readonly #counts = ({ watchId, seq }: Change): boolean => this.#seqs.get(watchId) === seq
}
