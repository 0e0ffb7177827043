import type { EventLog, LogEvent } from '../../store/store.ts'

const MOST = 2000

/** The events that deliveries tell of: one event is told to many, and is read once. */
export class Documents {
  readonly #log: Pick<EventLog, 'after'>
  readonly #bySeq = new Map<number, LogEvent>()
  readonly #reading = new Map<number, Promise<LogEvent>>()

  constructor(log: Pick<EventLog, 'after'>) {
    this.#log = log
  }

  keep(event: LogEvent): void {
    this.#bySeq.delete(event.seq)
    this.#bySeq.set(event.seq, event)
    if (this.#bySeq.size > MOST) this.#bySeq.delete(this.#bySeq.keys().next().value!)
  }

  /** The event, read from the log where it is no longer at hand. */
  async find(seq: number): Promise<LogEvent> {
    const known = this.#bySeq.get(seq)
    if (known !== undefined) return known
    // After a restart a thousand deliveries want the same event at once.
    const reading = this.#reading.get(seq) ?? this.#read(seq).finally(() => this.#reading.delete(seq))
    this.#reading.set(seq, reading)
    return reading
  }

  peek(seq: number): LogEvent | undefined {
    return this.#bySeq.get(seq)
  }

  async #read(seq: number): Promise<LogEvent> {
    const [event] = await this.#log.after(seq - 1, 1)
    if (event?.seq !== seq) throw new Error(`the log has no event ${seq}, though a delivery tells of it`)
    this.keep(event)
    return event
  }
}
