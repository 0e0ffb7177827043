/**
 * A set whose entries leave in the order in which they came; one that is added again keeps its
 * place. `Set.values().next()` does the same, but steps over every entry deleted so far: with one
 * iterator for all, each is passed once.
 */
export class FirstInFirstOut<Entry extends object> {
  readonly #entries = new Set<Entry>()
  #iterator = this.#entries.values()

  get size(): number {
    return this.#entries.size
  }

  has(entry: Entry): boolean {
    return this.#entries.has(entry)
  }

  add(entry: Entry): void {
    this.#entries.add(entry)
  }

  delete(entry: Entry): boolean {
    return this.#entries.delete(entry)
  }

  /** Removes and returns the first entry; null if there is none. */
  shift(): Entry | null {
    let next = this.#iterator.next()
    if (next.done) {
      // An iterator that has reached the end does not see what is added later.
      this.#iterator = this.#entries.values()
      next = this.#iterator.next()
      if (next.done) return null
    }
    this.#entries.delete(next.value)
    return next.value
  }

  clear(): void {
    this.#entries.clear()
  }
}
