import { BoundedCache } from '../../../lib/bounded-cache.ts'
import type { EventLog, LogEvent } from '../../../store/store.ts'

const MAX_EVENTS = 2000

/** Caches events: one event goes to many watches and is read once. */
export class EventCache {
  readonly #log: Pick<EventLog, 'after'>
  readonly #bySeq = new BoundedCache<number, LogEvent>(MAX_EVENTS)
  readonly #reading = new Map<number, Promise<LogEvent>>()

  constructor(log: Pick<EventLog, 'after'>) {
    this.#log = log
  }

  addEvent(event: LogEvent): void {
    this.#bySeq.set(event.seq, event)
  }

  async readEvent(seq: number): Promise<LogEvent> {
    const cached = this.#bySeq.get(seq)
    if (cached !== undefined) return cached
    // After a restart a thousand deliveries need the same event at once: they share one read.
    const reading = this.#reading.get(seq) ?? this.#read(seq).finally(() => this.#reading.delete(seq))
    this.#reading.set(seq, reading)
    return reading
  }

  cachedEvent(seq: number): LogEvent | undefined {
    return this.#bySeq.get(seq)
  }

  async #read(seq: number): Promise<LogEvent> {
    const [event] = await this.#log.after(seq - 1, 1)
    if (event?.seq !== seq) throw new Error(`a delivery refers to event ${seq}, which the log does not contain`)
    this.addEvent(event)
    return event
  }
}
