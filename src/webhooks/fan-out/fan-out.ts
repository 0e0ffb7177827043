import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { newIdentifier } from '../../domain/identifier.ts'
import type { Incident } from '../../domain/incident.ts'
import { WATCH_EVENTS, type WatchEvent } from '../../domain/watch.ts'
import { WakeableSleep } from '../../lib/async/wakeable-sleep.ts'
import { indexedFieldsOf } from '../../query/indexed-fields.ts'
import type { Dispatch, FanOutPosition, LogEvent, NewDelivery, Store } from '../../store/store.ts'
import { pooledRandomBytes } from './random-pool.ts'
import type { WatchIndex } from './watch-index.ts'

export interface FanOutOptions {
  /** This process, among all that share the database. */
  readonly owner: string
  readonly clock: () => number
  /** How long to wait for a wake-up before looking anyway, in milliseconds. */
  readonly pollEvery: number
  readonly onError: (error: unknown) => void
  /** How many deliveries could be sent from here at once, without waiting for others. */
  readonly room: () => number
  /** Deliveries that are this process's to send, and the events that they tell of. */
  readonly hand: (dispatches: readonly Dispatch[], events: ReadonlyMap<number, LogEvent>, leasedUntil: number) => void
}

const EVENTS = 500
/**
 * Deliveries in one transaction, and in one piece between threads. The first few go out at once; where there are many, each write
 * waits for the disk, so the next ones are larger.
 */
const FEW = 250
const MANY = 1000
/** Made in one turn of the event loop: requests are answered in between. */
const IN_A_TURN = 100
const LEASE = 15_000
const RENEW_BEFORE = 10_000
const DELIVERY_LEASE = 60_000
/** Handing deliveries on costs nothing; leaving them to be leased costs a third of the work again. So room is waited for, a little. */
const ROOM_WITHIN = 250
const LOOK_FOR_ROOM_EVERY = 5

/** Makes deliveries of events, in order, wherever it was left off: by this process or one that died. */
export class FanOutRunner implements AsyncDisposable {
  readonly #store: Store
  readonly #index: WatchIndex
  readonly #options: FanOutOptions
  readonly #rest: WakeableSleep
  readonly #finished: Promise<void>
  #position: FanOutPosition | null = null
  #leasedUntil = 0

  constructor(store: Store, index: WatchIndex, options: FanOutOptions) {
    this.#store = store
    this.#index = index
    this.#options = options
    this.#rest = new WakeableSleep(options.pollEvery)
    const stopListening = store.events.onAppend(() => this.#rest.wake())
    this.#finished = this.#run().finally(stopListening)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#rest.stop()
    await this.#finished
    if (this.#position !== null) await this.#store.fanOut.release(this.#options.owner).catch(this.#options.onError)
  }

  async #run(): Promise<void> {
    while (!this.#rest.stopped) {
      let busy = false
      try {
        busy = await this.#round()
      } catch (error) {
        this.#options.onError(error)
        // What this process believes of the lease and the position may be wrong now.
        this.#position = null
      }
      if (!busy) await this.#rest.wait()
    }
  }

  /** Whether there may be more to do at once. */
  async #round(): Promise<boolean> {
    const position = await this.#hold()
    if (position === null) return false
    this.#rest.begin()
    const events = await this.#store.events.after(position.seq, EVENTS)
    if (events.length === 0) return false
    // Whoever was watching before an event was committed is known after this.
    await this.#index.catchUp()
    await this.#write(position, events)
    return events.length === EVENTS || this.#position === null
  }

  async #hold(): Promise<FanOutPosition | null> {
    const { owner, clock } = this.#options
    const now = clock()
    if (this.#position !== null && now < this.#leasedUntil - RENEW_BEFORE) return this.#position
    this.#leasedUntil = now + LEASE
    this.#position = await this.#store.fanOut.lease(owner, now, this.#leasedUntil)
    return this.#position
  }

  async #write(start: FanOutPosition, events: readonly LogEvent[]): Promise<void> {
    let from = start
    let owed: NewDelivery[] = []
    let most = FEW
    for (const event of events) {
      const { kind } = event
      if (!isWatchEvent(kind)) continue
      const incident = JSON.parse(event.document) as Incident
      const before = kind === 'incident.updated' ? await this.#factsBefore(event) : null
      const critical = incident.severity === 'critical'
      for (const watchId of this.#index.owed(kind, event.seq, indexedFieldsOf(incident), before)) {
        if (from.seq === event.seq - 1 && from.afterWatchId !== null && watchId <= from.afterWatchId) continue
        const id = newIdentifier('delivery', this.#options.clock(), pooledRandomBytes)
        owed.push({ id, watchId, eventSeq: event.seq, kind, critical })
        if (owed.length % IN_A_TURN === 0) await nextTurn()
        if (owed.length < most) continue
        const to = { seq: event.seq - 1, afterWatchId: watchId }
        if (!(await this.#writeChunk(from, to, owed, events))) return
        from = to
        owed = []
        most = MANY
      }
    }
    await this.#writeChunk(from, { seq: events.at(-1)!.seq, afterWatchId: null }, owed, events)
  }

  /** False where another process has taken over: it will go on. */
  async #writeChunk(
    from: FanOutPosition,
    to: FanOutPosition,
    owed: readonly NewDelivery[],
    events: readonly LogEvent[],
  ): Promise<boolean> {
    const { owner, clock, hand } = this.#options
    const isRoom = owed.length > 0 && (await this.#waitForRoom(owed.length))
    const now = clock()
    const leaseUntil = isRoom ? now + DELIVERY_LEASE : null
    const dispatches = await this.#store.fanOut.write(owner, { from, to, deliveries: owed }, now, leaseUntil)
    this.#position = dispatches === null ? null : to
    if (dispatches !== null && leaseUntil !== null)
      hand(dispatches, new Map(events.map((event) => [event.seq, event])), leaseUntil)
    return dispatches !== null
  }

  async #waitForRoom(count: number): Promise<boolean> {
    const { room } = this.#options
    for (let left = ROOM_WITHIN / LOOK_FOR_ROOM_EVERY; left > 0 && room() < count && !this.#rest.stopped; left--)
      await wait(LOOK_FOR_ROOM_EVERY)
    return room() >= count
  }

  /** Who was told that it lay in their area must hear that it does not. */
  async #factsBefore({ incidentId, seq }: LogEvent) {
    const document = await this.#store.events.documentBefore(incidentId, seq)
    return document === null ? null : indexedFieldsOf(JSON.parse(document) as Incident)
  }
}

function isWatchEvent(kind: string): kind is WatchEvent {
  return (WATCH_EVENTS as readonly string[]).includes(kind)
}
