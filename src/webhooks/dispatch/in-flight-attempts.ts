import type { HostQueue } from './host-queues.ts'

/** An attempt that takes longer counts as slow and no longer occupies a regular place. */
const SLOW_AFTER_MS = 1000
const CHECK_INTERVAL_MS = 250
/** Slow places per regular place: waiting for an answer costs a socket and little else. */
const SLOW_PLACES_PER_PLACE = 8

export interface InFlightAttempt {
  readonly queue: HostQueue
  readonly startedAt: number
  slow: boolean
}

/** Counts attempts in flight. Slow ones have separate places, so they leave room for the rest. */
export class InFlightAttempts {
  /** In starting order. */
  readonly #attempts = new Set<InFlightAttempt>()
  readonly #places: number
  readonly #slowPlaces: number
  readonly #onSlow: (queue: HostQueue) => void
  #slow = 0
  #timer: NodeJS.Timeout | null = null
  #whenEmpty: () => void = () => {}

  constructor(places: number, onSlow: (queue: HostQueue) => void) {
    this.#places = places
    this.#slowPlaces = places * SLOW_PLACES_PER_PLACE
    this.#onSlow = onSlow
  }

  get size(): number {
    return this.#attempts.size
  }

  /** The hosts at which another attempt may start. */
  get room(): 'all' | 'healthy' | 'none' {
    if (this.#attempts.size - this.#slow >= this.#places) return 'none'
    return this.#slow < this.#slowPlaces ? 'all' : 'healthy'
  }

  start(queue: HostQueue): InFlightAttempt {
    const attempt = { queue, startedAt: performance.now(), slow: queue.health !== 'healthy' }
    if (attempt.slow) this.#slow++
    this.#attempts.add(attempt)
    this.#timer ??= setInterval(() => this.#findSlow(), CHECK_INTERVAL_MS)
    return attempt
  }

  /** Returns whether the attempt was slow. */
  end(attempt: InFlightAttempt): boolean {
    this.#attempts.delete(attempt)
    if (attempt.slow) this.#slow--
    if (this.#attempts.size === 0) {
      if (this.#timer !== null) clearInterval(this.#timer)
      this.#timer = null
      this.#whenEmpty()
    }
    return performance.now() - attempt.startedAt > SLOW_AFTER_MS
  }

  /** Resolves once nothing is in flight, or after the timeout. */
  async drain(timeoutMs: number): Promise<void> {
    if (this.#attempts.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      this.#whenEmpty = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  #findSlow(): void {
    const before = performance.now() - SLOW_AFTER_MS
    for (const attempt of this.#attempts) {
      if (attempt.startedAt > before || this.#slow >= this.#slowPlaces) return
      if (attempt.slow) continue
      attempt.slow = true
      this.#slow++
      this.#onSlow(attempt.queue)
    }
  }
}
