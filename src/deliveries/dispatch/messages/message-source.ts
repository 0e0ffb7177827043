import type { Delivery } from '../../../domain/delivery.ts'
import type { Incident } from '../../../domain/incident.ts'
import { messageContent, retractionOf } from '../../../domain/message-content.ts'
import type { LogEvent, Store } from '../../../store/store.ts'
import { CurrentIncidents, type KnownIncident } from './current-incidents.ts'
import { EventCache } from './event-cache.ts'

/**
 * A first attempt trusts knowledge of the incident that is at most this old: a retraction that was
 * committed less than this before may cross it. Later attempts always read the store.
 */
const FRESH_MS = 1000

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

/** Decides what a delivery carries at the moment it is sent. */
export class MessageSource {
  readonly #events: EventCache
  readonly #incidents: CurrentIncidents
  readonly #retractions = new WeakMap<KnownIncident, string>()

  constructor(store: Pick<Store, 'events' | 'incidents'>, elapsed: () => number) {
    this.#events = new EventCache(store.events)
    this.#incidents = new CurrentIncidents(store.incidents, elapsed)
  }

  /**
   * Remembers events that were just read from the log. `readAt` is when the read began, if it
   * reached the log's end; null if later events of the same incidents may follow.
   */
  addEvents(events: ReadonlyMap<number, LogEvent>, readAt: number | null): void {
    for (const event of events.values()) this.#events.addEvent(event)
    if (readAt !== null) this.#incidents.addEvents(events.values(), readAt)
  }

  /** The message of a first attempt if it is known and fresh; costs no read of the store. */
  freshMessage({ eventSeq, kind, attempts }: Delivery): OutgoingMessage | undefined {
    if (attempts > 0) return undefined
    const event = this.#events.cachedEvent(eventSeq)
    const incident = event && this.#fresh(event)
    return incident && this.#messageOf(event, kind, incident)
  }

  async readMessage({ eventSeq, kind, attempts }: Delivery): Promise<OutgoingMessage> {
    const event = await this.#events.readEvent(eventSeq)
    const fresh = attempts === 0 ? this.#fresh(event) : undefined
    return this.#messageOf(event, kind, fresh ?? (await this.#incidents.read(event.incidentId)))
  }

  /**
   * Nothing if what is known is from before the event: a retraction would look untrue, and end
   * untold.
   */
  #fresh({ incidentId, seq }: LogEvent): KnownIncident | undefined {
    const known = this.#incidents.known(incidentId, FRESH_MS)
    return known !== undefined && (known.seq ?? 0) >= seq ? known : undefined
  }

  #messageOf(event: LogEvent, kind: Delivery['kind'], incident: KnownIncident): OutgoingMessage {
    const content = messageContent(kind, incident.status)
    const contentSeq = incident.seq
    if (content === null) return { event, document: null, incident: incident.document, contentSeq }
    const document = content === 'incident' ? incident.document : this.#retractionText(incident)
    return { event, document, incident: incident.document, contentSeq }
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
