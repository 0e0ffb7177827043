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
