export interface LongestTurn {
  /** Milliseconds of the main thread's processor time: what the work itself took. */
  readonly processor: number
  /** Milliseconds by the clock, in which other processes may have had the processor. */
  readonly elapsed: number
}

/**
 * Measures every turn of this process's event loop, from one `setImmediate` to the next. The loop
 * never sleeps meanwhile, so a turn is what its callbacks took, garbage collection included.
 */
export class TurnMeter {
  #processor = 0
  #elapsed = 0
  #lastProcessor = 0
  #lastElapsed = 0
  #running = false

  start(): void {
    if (this.#running) return
    this.#running = true
    this.#lastProcessor = processorMs()
    this.#lastElapsed = performance.now()
    setImmediate(this.#measure)
  }

  stop(): void {
    this.#running = false
  }

  /** Returns the longest turn since the last call. */
  take(): LongestTurn {
    const longest = { processor: this.#processor, elapsed: this.#elapsed }
    this.#processor = 0
    this.#elapsed = 0
    return longest
  }

  readonly #measure = (): void => {
    if (!this.#running) return
    const [processor, elapsed] = [processorMs(), performance.now()]
    this.#processor = Math.max(this.#processor, processor - this.#lastProcessor)
    this.#elapsed = Math.max(this.#elapsed, elapsed - this.#lastElapsed)
    this.#lastProcessor = processor
    this.#lastElapsed = elapsed
    setImmediate(this.#measure)
  }
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
