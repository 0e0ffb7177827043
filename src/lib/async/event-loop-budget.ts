/** Allows `max` steps per turn of the event loop, so that requests never wait for all steps. */
export class EventLoopBudget {
  readonly #max: number
  readonly #next: () => void
  #done = 0
  #over = false

  constructor(max: number, next: () => void) {
    this.#max = max
    this.#next = next
  }

  /** Returns whether another step may run in this turn; if not, calls `next` in the next turn. */
  tryStart(): boolean {
    if (this.#over) return false
    if (this.#done++ < this.#max) return true
    this.#over = true
    setImmediate(() => {
      this.#over = false
      this.#done = 0
      this.#next()
    })
    return false
  }
}
