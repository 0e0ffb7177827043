/**
 * A value that is read at most once in `maxAgeMs`, however many ask for it. Those who ask while it
 * is being read wait for the same result. A failure is kept as long: a flood of questions must not
 * become a flood of attempts.
 */
export class CachedReading<Value> {
  readonly #read: () => Promise<Value>
  readonly #maxAgeMs: number
  readonly #elapsed: () => number
  #last: { readonly at: number; readonly value: Promise<Value> } | null = null

  /** `elapsed` is a monotonic clock, in milliseconds. */
  constructor(read: () => Promise<Value>, maxAgeMs: number, elapsed: () => number = () => performance.now()) {
    this.#read = read
    this.#maxAgeMs = maxAgeMs
    this.#elapsed = elapsed
  }

  get(): Promise<Value> {
    const now = this.#elapsed()
    if (this.#last === null || now - this.#last.at >= this.#maxAgeMs) this.#last = { at: now, value: this.#read() }
    return this.#last.value
  }
}
