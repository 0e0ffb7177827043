/**
 * Lets only so much be done in one turn of the event loop, and calls for the rest in the next one: what is done in many small
 * pieces keeps requests waiting as long as one of them takes, not all.
 */
export class EventLoopBudget {
  readonly #most: number
  readonly #next: () => void
  #done = 0
  #over = false

  constructor(most: number, next: () => void) {
    this.#most = most
    this.#next = next
  }

  /** Whether another may be done now. Where not, `next` is called when it may. */
  tryStart(): boolean {
    if (this.#over) return false
    if (this.#done++ < this.#most) return true
    this.#over = true
    setImmediate(() => {
      this.#over = false
      this.#done = 0
      this.#next()
    })
    return false
  }
}
