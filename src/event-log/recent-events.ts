import type { LogEvent } from '../store/store.ts'

const MOST_EVENTS = 20_000
const MOST_CHARACTERS = 32 << 20

/**
 * The newest events of the log, in memory: what happened while this node runs, up to a bound. Whoever keeps up with the
 * feed is served from here, and the database sees only those who come back after long.
 */
export class RecentEvents<Event extends LogEvent = LogEvent> {
  readonly #mostEvents: number
  readonly #mostCharacters: number
  #events: Event[] = []
  /** Those at the beginning of `#events` that are forgotten, but still to be cleared away. */
  #forgotten = 0
  #characters = 0
  #since: number

  /** Begins empty, after the event `seq`. */
  constructor(seq: number, most: { events?: number; characters?: number } = {}) {
    this.#since = seq
    this.#mostEvents = most.events ?? MOST_EVENTS
    this.#mostCharacters = most.characters ?? MOST_CHARACTERS
  }

  /** The earliest position after which every event is still here. */
  get since(): number {
    return this.#since
  }

  /** Takes events in, in order. Where some are missing before them, it begins anew: a gap must never be served. */
  add(events: readonly Event[]): void {
    for (const event of events) {
      const head = this.#since + this.#events.length - this.#forgotten
      if (event.seq <= head) continue
      if (event.seq !== head + 1) this.#beginAt(event.seq - 1)
      this.#events.push(event)
      this.#characters += event.document.length
    }
    this.#forget()
  }

  /** The events after `seq`, at most `limit`; null where some of them are forgotten. */
  after(seq: number, limit: number): readonly Event[] | null {
    if (seq < this.#since) return null
    const start = this.#forgotten + seq - this.#since
    return this.#events.slice(start, start + limit)
  }

  #beginAt(seq: number): void {
    this.#events = []
    this.#forgotten = 0
    this.#characters = 0
    this.#since = seq
  }

  #forget(): void {
    const events = this.#events
    while (events.length - this.#forgotten > this.#mostEvents || this.#characters > this.#mostCharacters) {
      this.#characters -= events[this.#forgotten]!.document.length
      this.#forgotten++
      this.#since++
    }
    // Moved together only now and then: shifting twenty thousand for every arrival would cost more than the arrival.
    if (this.#forgotten * 2 > events.length) {
      this.#events = events.slice(this.#forgotten)
      this.#forgotten = 0
    }
  }
}
