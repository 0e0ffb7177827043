import type { Archive } from '../archive/archive.ts'
import type { EventLog, LogEvent } from '../store/store.ts'

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

/** Cannot be continued from: the log has not reached it, or a restore has lost it. */
export type UnknownPosition = { readonly notReached: number } | { readonly lostSince: number }

/** Returns up to `limit` applied events after `seq`, in order, from memory or else from the log. */
export async function changesAfter(
  archive: Archive,
  recent: RecentEvents,
  log: () => Pick<EventLog, 'after' | 'head' | 'lastBeforeGap'>,
  seq: number,
  limit: number,
): Promise<readonly LogEvent[] | UnknownPosition> {
  const head = archive.head.seq
  // Another node may be ahead and may have sent the client events that this one still lacks.
  if (seq > head) return seq <= (await log().head()).seq ? [] : { notReached: head }
  const events = recent.after(seq, limit) ?? (await log().after(seq, limit))
  if (seq < head && events[0]?.seq !== seq + 1) {
    const since = await log().lastBeforeGap(seq)
    if (since !== null) return { lostSince: since }
  }
  return events.filter((event) => event.seq <= head)
}

/**
 * Writes a change as JSON with the incident's document from the log. A retracted incident is
 * written as null: the log keeps its document, clients must not receive it. A change that took the
 * incident from the feed has none even if it is back, and says where a merged one went. `redacted`
 * is written only if it is true.
 */
export function changeJson(
  archive: Pick<Archive, 'slotOf' | 'mergedInto'>,
  { seq, kind, at, incidentId, document, redacted }: LogEvent,
): string {
  const isGone = kind === 'incident.retracted'
  const incident = isGone || archive.slotOf(incidentId) === null ? 'null' : document
  const into = isGone ? archive.mergedInto(incidentId) : null
  const about = JSON.stringify({ seq, event: kind, at: new Date(at).toISOString(), incident_id: incidentId, redacted })
  return `${about.slice(0, -1)},"incident":${incident}${into === null ? '' : `,"merged_into":"${into}"`}}`
}
