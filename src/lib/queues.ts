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

/** Waiting items by subject. Subjects take turns; the items of one subject are in order. */
export class RotatingQueue<Item> {
  /** The subject whose turn is next comes first. */
  readonly #bySubject = new Map<string, Item[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(subject: string): number {
    return this.#bySubject.get(subject)?.length ?? 0
  }

  addItem(subject: string, item: Item): void {
    const items = this.#bySubject.get(subject)
    if (items === undefined) this.#bySubject.set(subject, [item])
    else items.push(item)
    this.#size++
  }

  /** Takes the first item of the next subject that may have a turn; undefined if none may. */
  takeNext(mayHaveTurn: (subject: string) => boolean = () => true): Item | undefined {
    for (const [subject, items] of this.#bySubject) {
      if (!mayHaveTurn(subject)) continue
      const item = items.shift()!
      this.#bySubject.delete(subject)
      if (items.length > 0) this.#bySubject.set(subject, items)
      this.#size--
      return item
    }
    return undefined
  }

  removeItem(subject: string, item: Item): void {
    const items = this.#bySubject.get(subject)
    const index = items?.indexOf(item) ?? -1
    if (items === undefined || index < 0) return
    items.splice(index, 1)
    if (items.length === 0) this.#bySubject.delete(subject)
    this.#size--
  }
}
