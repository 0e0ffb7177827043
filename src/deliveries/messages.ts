import { type Delivery, mayHaveArrived } from '../domain/delivery.ts'
import type { Incident, Status } from '../domain/incident.ts'
import { messageContent, retractionOf } from '../domain/message-content.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { type Runtime, sleep } from '../lib/runtime.ts'
import { type CurrentIncident, type Incidents, type LogEvent, type Store, StoreUnavailable } from '../store/store.ts'

/**
 * A first attempt trusts knowledge of the incident that is at most this old: a retraction that was
 * committed less than this before may cross it. Later attempts always read the store.
 */
const FRESH_MS = 1000
const MAX_EVENTS = 2000

export interface OutgoingMessage {
  /** The event that the delivery was made for. */
  readonly event: LogEvent
  /** JSON text for the body's `incident`; null if the delivery must be cancelled. */
  readonly document: string | null
  /** JSON text of the incident as a whole, which a retraction does not carry. */
  readonly incident: string
  /** The event whose version of the incident that is. */
  readonly contentSeq: number | null
}

/**
 * Decides what a delivery carries at the moment it is sent. Remembers events and incidents: one
 * event goes to many watches and is read once.
 */
export class MessageSource {
  readonly #log: Pick<Store['events'], 'after'>
  readonly #events = new BoundedCache<number, LogEvent>(MAX_EVENTS)
  readonly #reading = new Map<number, Promise<LogEvent>>()
  readonly #incidents: CurrentIncidents
  readonly #retractions = new WeakMap<KnownIncident, string>()

  constructor({ events, incidents }: Pick<Store, 'events' | 'incidents'>, runtime: Runtime) {
    this.#log = events
    this.#incidents = new CurrentIncidents(incidents, runtime)
  }

  /**
   * Remembers events that were just read from the log. `readAt` is when the read began, if it
   * reached the log's end; null if later events of the same incidents may follow.
   */
  addEvents(events: ReadonlyMap<number, LogEvent>, readAt: number | null): void {
    for (const event of events.values()) this.#events.set(event.seq, event)
    if (readAt !== null) this.#incidents.addEvents(events.values(), readAt)
  }

  /** Behind an outage, the log may have other events with the same numbers. */
  forget(): void {
    this.#events.clear()
  }

  /** The message of a first attempt if it is known and fresh; costs no read of the store. */
  freshMessage(delivery: Delivery): OutgoingMessage | undefined {
    if (mayHaveArrived(delivery)) return undefined
    const { eventSeq, kind } = delivery
    const event = this.#events.get(eventSeq)
    const incident = event && this.#fresh(event)
    return incident && this.#messageOf(event, kind, incident)
  }

  async readMessage(delivery: Delivery): Promise<OutgoingMessage> {
    const { eventSeq, kind } = delivery
    const event = this.#events.get(eventSeq) ?? (await this.#readEvent(eventSeq))
    const fresh = mayHaveArrived(delivery) ? undefined : this.#fresh(event)
    return this.#messageOf(event, kind, fresh ?? (await this.#incidents.read(event.incidentId)))
  }

  /** After a restart a thousand deliveries need the same event at once: they share one read. */
  #readEvent(seq: number): Promise<LogEvent> {
    const read = async () => {
      const [event] = await this.#log.after(seq - 1, 1)
      if (event?.seq !== seq) throw new Error(`a delivery refers to event ${seq}, which the log does not contain`)
      this.#events.set(seq, event)
      return event
    }
    const reading = this.#reading.get(seq) ?? read().finally(() => this.#reading.delete(seq))
    this.#reading.set(seq, reading)
    return reading
  }

  /** Nothing older than the event: a retraction would look untrue, and end untold. */
  #fresh({ incidentId, seq }: LogEvent): KnownIncident | undefined {
    const known = this.#incidents.known(incidentId, FRESH_MS)
    return known !== undefined && (known.seq ?? 0) >= seq ? known : undefined
  }

  #messageOf(event: LogEvent, kind: Delivery['kind'], known: KnownIncident): OutgoingMessage {
    const { status, document: incident, seq: contentSeq } = known
    const content = messageContent(kind, status)
    if (content === null) return { event, document: null, incident, contentSeq }
    return { event, document: content === 'incident' ? incident : this.#retractionText(known), incident, contentSeq }
  }

  /** Cached: parsing the incident for each of many thousand watches would be most of the work. */
  #retractionText(incident: KnownIncident): string {
    let text = this.#retractions.get(incident)
    if (text === undefined) {
      text = JSON.stringify(retractionOf(JSON.parse(incident.document) as Incident))
      this.#retractions.set(incident, text)
    }
    return text
  }
}

const MAX_INCIDENTS = 2000
const MAX_READ = 500
/** Together less than the part of a lease that an attempt may not use. */
const TRIES = 8
const RETRY_DELAY_MS = 500

interface KnownIncident {
  /** Null if it no longer exists. */
  readonly status: Status | null
  readonly document: string
  /** The event that made it so; null if it has none of its own. */
  readonly seq: number | null
  /** Monotonic time at which a read began that showed this state. */
  readonly asOf: number
}

/** Knows the newest version of incidents that are being sent, and how old that knowledge is. */
class CurrentIncidents {
  readonly #incidents: Pick<Incidents, 'current'>
  readonly #runtime: Runtime
  readonly #known = new BoundedCache<string, KnownIncident>(MAX_INCIDENTS)
  readonly #waiting = new Map<string, PromiseWithResolvers<KnownIncident>>()
  #reading = false

  constructor(incidents: Pick<Incidents, 'current'>, runtime: Runtime) {
    this.#incidents = incidents
    this.#runtime = runtime
  }

  /** Remembers events in order, of a read of the log that began at `asOf` and reached its end. */
  addEvents(events: Iterable<LogEvent>, asOf: number): void {
    for (const { incidentId, kind, document, seq } of events) {
      const status = kind === 'incident.retracted' ? 'retracted' : 'confirmed'
      this.#remember(incidentId, { status, document, seq, asOf })
    }
  }

  /** Undefined if nothing is known that is at most `maxAgeMs` old. */
  known(incidentId: string, maxAgeMs: number): KnownIncident | undefined {
    const known = this.#known.get(incidentId)
    return known !== undefined && this.#runtime.elapsed() - known.asOf <= maxAgeMs ? known : undefined
  }

  /** Reads the incident from the store; calls during a read share the next one. */
  read(incidentId: string): Promise<KnownIncident> {
    const waiting = this.#waiting.get(incidentId)
    if (waiting !== undefined) return waiting.promise
    const read = Promise.withResolvers<KnownIncident>()
    this.#waiting.set(incidentId, read)
    if (!this.#reading) void this.#readLoop()
    return read.promise
  }

  async #readLoop(): Promise<void> {
    this.#reading = true
    // The attempts of this turn of the event loop share the first read.
    await Promise.resolve()
    while (this.#waiting.size > 0) {
      const batch = new Map([...this.#waiting].slice(0, MAX_READ))
      for (const id of batch.keys()) this.#waiting.delete(id)
      try {
        const asOf = this.#runtime.elapsed()
        const found = new Map((await this.#readStore([...batch.keys()])).map((each) => [each.id, each]))
        for (const [id, read] of batch) {
          const current = found.get(id) ?? { status: null, document: '', seq: null }
          read.resolve(this.#remember(id, { ...current, asOf }))
        }
      } catch (error) {
        for (const read of batch.values()) read.reject(error)
      }
    }
    this.#reading = false
  }

  async #readStore(ids: readonly string[]): Promise<CurrentIncident[]> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#incidents.current(ids)
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || tries === TRIES) throw error
        await sleep(this.#runtime, RETRY_DELAY_MS)
      }
    }
  }

  /** Keeps what a later read has shown: two reads may end in another order than they began. */
  #remember(incidentId: string, next: KnownIncident): KnownIncident {
    const before = this.#known.get(incidentId)
    if (before !== undefined && before.asOf > next.asOf) return before
    this.#known.set(incidentId, next)
    return next
  }
}
