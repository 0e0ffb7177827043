import type { LogEvent } from '../store/store.ts'

const MAX_EVENTS = 20_000
const MAX_CHARACTERS = 32 << 20

/**
 * The newest events of the log since this node's start, in memory and bounded. Clients that keep up
 * are served from here; only those returning after a long time reach the database.
 */
export class RecentEvents<Event extends LogEvent = LogEvent> {
  readonly #maxEvents: number
  readonly #maxCharacters: number
  #events: Event[] = []
  /** The number of events at the beginning of `#events` that are evicted but not yet removed. */
  #evicted = 0
  #characters = 0
  #since: number

  /** Starts empty, after the event `seq`. */
  constructor(seq: number, max: { events?: number; characters?: number } = {}) {
    this.#since = seq
    this.#maxEvents = max.events ?? MAX_EVENTS
    this.#maxCharacters = max.characters ?? MAX_CHARACTERS
  }

  /** The earliest position after which every event is still here. */
  get since(): number {
    return this.#since
  }

  /**
   * Adds events in order. After a gap it starts anew: a gap must never be served. So it does with a
   * redaction: the versions before it are read from the log, which no longer has what was taken
   * out.
   */
  addEvents(events: readonly Event[]): void {
    for (const event of events) {
      const head = this.#since + this.#events.length - this.#evicted
      if (event.seq <= head) continue
      if (event.seq !== head + 1 || event.redacted) this.#restartAfter(event.seq - 1)
      this.#events.push(event)
      this.#characters += event.document.length
    }
    this.#evict()
  }

  /** Returns the events after `seq`, at most `limit`; null if some of them are evicted. */
  after(seq: number, limit: number): readonly Event[] | null {
    if (seq < this.#since) return null
    const start = this.#evicted + seq - this.#since
    return this.#events.slice(start, start + limit)
  }

  #restartAfter(seq: number): void {
    this.#events = []
    this.#evicted = 0
    this.#characters = 0
    this.#since = seq
  }

  #evict(): void {
    const events = this.#events
    while (events.length - this.#evicted > this.#maxEvents || this.#characters > this.#maxCharacters) {
      this.#characters -= events[this.#evicted]!.document.length
      this.#evicted++
      this.#since++
    }
    // Compact rarely: shifting 20,000 events would cost more than the arrival itself.
    if (this.#evicted * 2 > events.length) {
      this.#events = events.slice(this.#evicted)
      this.#evicted = 0
    }
  }
}
