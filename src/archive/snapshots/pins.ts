interface RetiredSlot {
  readonly slot: number
  /** Pins up to this generation may still read the slot. */
  readonly generation: number
}

/**
 * Counts the readers that need the archive to stay as it was at one moment. While there are any,
 * changes write to copies of segments and to other slots; slots are reused once no reader that
 * could see them is left.
 */
export class Pins {
  readonly #freeSlot: (slot: number) => void
  /** Generations of the pins, ascending, because a set keeps the order of insertion. */
  readonly #pinned = new Set<number>()
  /** In the order of their generations. */
  #retired: RetiredSlot[] = []
  #generation = 0

  /** `freeSlot` is called for each retired slot that no reader can see any more. */
  constructor(freeSlot: (slot: number) => void) {
    this.#freeSlot = freeSlot
  }

  get isAny(): boolean {
    return this.#pinned.size > 0
  }

  get retiredSlots(): number {
    return this.#retired.length
  }

  /** Identifies the pins that exist: what is created from now on is not visible to them. */
  get generation(): number {
    return this.#generation
  }

  /** Tells whether a reader may see what was created at this generation. */
  mayBeRead(createdAt: number): boolean {
    return this.#pinned.size > 0 && this.#newest > createdAt
  }

  /** Keeps the present state until the pin is disposed of. */
  pin(): Disposable {
    const generation = ++this.#generation
    this.#pinned.add(generation)
    return {
      [Symbol.dispose]: () => {
        this.#pinned.delete(generation)
        this.#freeRetired()
      },
    }
  }

  /** Frees the slot, at once or when the last reader that can see it has finished. */
  retireSlot(slot: number): void {
    if (this.#pinned.size === 0) this.#freeSlot(slot)
    else this.#retired.push({ slot, generation: this.#generation })
  }

  get #newest(): number {
    let newest = 0
    for (const generation of this.#pinned) newest = generation
    return newest
  }

  #freeRetired(): void {
    const [oldest = Number.POSITIVE_INFINITY] = this.#pinned
    let freed = 0
    while (freed < this.#retired.length && this.#retired[freed]!.generation < oldest) {
      this.#freeSlot(this.#retired[freed]!.slot)
      freed++
    }
    if (freed > 0) this.#retired = this.#retired.slice(freed)
  }
}
