const MINUTE_MS = 60_000

/** Counts the rounds of a scenario until there are enough of them or the time is over. */
export class Rounds {
  readonly #most: number
  readonly #endsAt: number
  #done = 0

  constructor(most: number, maxMinutes = Number.POSITIVE_INFINITY) {
    this.#most = most
    this.#endsAt = performance.now() + maxMinutes * MINUTE_MS
  }

  /** The number of rounds that have begun. */
  get done(): number {
    return this.#done
  }

  /** Begins another round; false if there is none. */
  next(): boolean {
    if (this.#done >= this.#most || performance.now() >= this.#endsAt) return false
    this.#done++
    return true
  }
}
