/**
 * Allows `max` steps of work in one turn of the event loop and continues in the next turn, so that
 * requests wait for a few steps and not for all of them.
 */
export class EventLoopBudget {
  readonly #max: number
  readonly #next: () => void
  #done = 0
  #over = false

  constructor(max: number, next: () => void) {
    this.#max = max
    this.#next = next
  }

  /**
   * Returns whether another step may run in this turn. If not, `next` is called in the next turn.
   */
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
