import type { HostQueue } from './host-queues.ts'

/** An endpoint that has not answered by then holds no place that others need. */
const SLOW_AFTER = 1000
const LOOK_EVERY = 250
/** Places for attempts that are slow, by places for those that are not: waiting for an answer costs a socket, little else. */
const SLOW_FOR_EACH = 8

export interface InFlightAttempt {
  readonly queue: HostQueue
  readonly begunAt: number
  slow: boolean
}

/** The attempts under way. Those that hang are moved aside, so that a thousand of them leave room for the rest. */
export class InFlightAttempts {
  /** In the order in which they began. */
  readonly #flights = new Set<InFlightAttempt>()
  readonly #quickPlaces: number
  readonly #slowPlaces: number
  readonly #onSlow: (queue: HostQueue) => void
  #slow = 0
  #timer: NodeJS.Timeout | null = null
  #whenEmpty: () => void = () => {}

  constructor(places: number, onSlow: (queue: HostQueue) => void) {
    this.#quickPlaces = places
    this.#slowPlaces = places * SLOW_FOR_EACH
    this.#onSlow = onSlow
  }

  get size(): number {
    return this.#flights.size
  }

  /** For whom another may begin: for all, for hosts that answer promptly, or for none. */
  get room(): 'all' | 'quick' | 'none' {
    if (this.#flights.size - this.#slow >= this.#quickPlaces) return 'none'
    return this.#slow < this.#slowPlaces ? 'all' : 'quick'
  }

  begin(queue: HostQueue): InFlightAttempt {
    const flight = { queue, begunAt: performance.now(), slow: queue.health !== 'quick' }
    if (flight.slow) this.#slow++
    this.#flights.add(flight)
    this.#timer ??= setInterval(() => this.#look(), LOOK_EVERY)
    return flight
  }

  /** Whether it was slow. */
  end(flight: InFlightAttempt): boolean {
    this.#flights.delete(flight)
    if (flight.slow) this.#slow--
    if (this.#flights.size === 0) {
      if (this.#timer !== null) clearInterval(this.#timer)
      this.#timer = null
      this.#whenEmpty()
    }
    return performance.now() - flight.begunAt > SLOW_AFTER
  }

  /** Resolves once nothing is under way, or after that time. */
  async finish(within: number): Promise<void> {
    if (this.#flights.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, within)
      this.#whenEmpty = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  #look(): void {
    const before = performance.now() - SLOW_AFTER
    for (const flight of this.#flights) {
      if (flight.begunAt > before || this.#slow >= this.#slowPlaces) return
      if (flight.slow) continue
      flight.slow = true
      this.#slow++
      this.#onSlow(flight.queue)
    }
  }
}
