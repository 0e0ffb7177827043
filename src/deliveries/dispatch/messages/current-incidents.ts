import { setTimeout as wait } from 'node:timers/promises'
import type { Status } from '../../../domain/incident.ts'
import { BoundedCache } from '../../../lib/bounded-cache.ts'
import { type CurrentIncident, type Incidents, type LogEvent, StoreUnavailable } from '../../../store/store.ts'

const MAX_INCIDENTS = 2000
const MAX_READ = 500
/** Together less than the part of a lease that an attempt may not use. */
const TRIES = 8
const RETRY_DELAY_MS = 500

export interface KnownIncident {
  /** Null if it no longer exists. */
  readonly status: Status | null
  readonly document: string
  /** The event that made it so; null if it has none of its own. */
  readonly seq: number | null
  /** Monotonic time at which a read began that showed this state. */
  readonly asOf: number
}

/** Knows the newest version of incidents that are being sent, and how old that knowledge is. */
export class CurrentIncidents {
  readonly #incidents: Pick<Incidents, 'current'>
  readonly #elapsed: () => number
  readonly #known = new BoundedCache<string, KnownIncident>(MAX_INCIDENTS)
  readonly #waiting = new Map<string, PromiseWithResolvers<KnownIncident>>()
  #reading = false

  constructor(incidents: Pick<Incidents, 'current'>, elapsed: () => number) {
    this.#incidents = incidents
    this.#elapsed = elapsed
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
    return known !== undefined && this.#elapsed() - known.asOf <= maxAgeMs ? known : undefined
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
        const asOf = this.#elapsed()
        const found = new Map((await this.#readStore([...batch.keys()])).map((each) => [each.id, each]))
        for (const [id, read] of batch) read.resolve(this.#remember(id, knownOf(found.get(id), asOf)))
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
        await wait(RETRY_DELAY_MS)
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

function knownOf(found: CurrentIncident | undefined, asOf: number): KnownIncident {
  return found === undefined ? { status: null, document: '', seq: null, asOf } : { ...found, asOf }
}
