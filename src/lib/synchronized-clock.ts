interface ClockSources {
  /** The machine's wall clock. */
  readonly clock: () => number
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number
}

/** Differences up to this are left alone: clocks that are set by NTP differ by far less. */
const TOLERANCE_MS = 5_000

/**
 * A wall clock that agrees with a reference: while the machine's clock differs from it by more than
 * the tolerance, the reference counts, carried on by the monotonic clock.
 */
export class SynchronizedClock {
  readonly #sources: ClockSources
  #reference: { readonly time: number; readonly elapsed: number } | null = null

  constructor(sources: ClockSources = { clock: Date.now, elapsed: () => performance.now() }) {
    this.#sources = sources
  }

  readonly now = (): number => {
    const own = this.#sources.clock()
    if (this.#reference === null) return own
    const expected = this.#reference.time + this.#sources.elapsed() - this.#reference.elapsed
    return Math.abs(own - expected) <= TOLERANCE_MS ? own : Math.round(expected)
  }

  /** Milliseconds by which the machine's clock is ahead of the one that counts; 0 if they agree. */
  get correctedBy(): number {
    return this.#sources.clock() - this.now()
  }

  /** Reads the reference. A reading that took too long says nothing, and is ignored. */
  async synchronize(readReference: () => Promise<number>): Promise<void> {
    const before = this.#sources.elapsed()
    const time = await readReference()
    const took = this.#sources.elapsed() - before
    if (took <= TOLERANCE_MS) this.#reference = { time, elapsed: before + took / 2 }
  }
}
