import { randomFillSync } from 'node:crypto'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { newIdentifier } from '../../domain/identifier.ts'
import type { Incident } from '../../domain/incident.ts'
import { WATCH_EVENTS, type WatchEvent } from '../../domain/watch.ts'
import { WakeableSleep } from '../../lib/async/wakeable-sleep.ts'
import { indexedFieldsOf } from '../../query/indexed-fields.ts'
import type { Dispatch, FanOutPosition, LogEvent, NewDelivery, Store } from '../../store/store.ts'
import type { Dispatcher } from '../dispatch/dispatcher.ts'
import type { PlannedDelivery } from '../dispatch/queues/delivery-plan.ts'
import { fanOutOrder } from './fan-out-order.ts'
import type { WatchIndex } from './watch-index.ts'

export interface FanOutOptions {
  /** The name of this process among all that share the database. */
  readonly owner: string
  readonly clock: () => number
  /** Log poll interval, for lost notifications, in milliseconds. */
  readonly pollIntervalMs: number
  /** False while others may take this process for dead: then nothing is leased. */
  readonly holdsLeases: () => boolean
  readonly onError: (error: unknown) => void
  /** This process's dispatcher. */
  readonly dispatcher: Pick<Dispatcher, 'isPrompt' | 'plan' | 'postponedUntil'>
  /**
   * Called with deliveries leased to this process, and their events. `readAt` is the monotonic time
   * at which the log was read; null if more events may follow them.
   */
  readonly onLeased: (
    dispatches: readonly Dispatch[],
    events: ReadonlyMap<number, LogEvent>,
    leasedUntil: number,
    readAt: number | null,
  ) => void
}

const EVENT_BATCH = 500
/**
 * Deliveries per transaction. The first batch is small, so that it is sent early; later ones are
 * larger, because each write waits for the disk.
 */
const FIRST_BATCH = 250
const LATER_BATCH = 1000
/** Deliveries made in one turn of the event loop; requests are answered in between. */
const DELIVERIES_PER_TURN = 100
const LEASE_MS = 15_000
/** The lease is renewed when less than this is left of it. */
const RENEW_BELOW_MS = 10_000
const DELIVERY_LEASE_MS = 60_000
/**
 * The fan-out waits this long for room in the dispatcher: handing deliveries over is free, while
 * leasing them from the database adds a third to the work.
 */
const ROOM_TIMEOUT_MS = 250
const ROOM_POLL_MS = 5

/** Events of one read of the log; `readAt` as in `FanOutOptions.onLeased`. */
interface LogRead {
  readonly events: readonly LogEvent[]
  readonly readAt: number | null
}

/** Creates the deliveries of each event, in order; resumes where any process stopped. */
export class FanOut implements AsyncDisposable {
  readonly #store: Store
  readonly #index: WatchIndex
  readonly #options: FanOutOptions
  readonly #sleep: WakeableSleep
  readonly #finished: Promise<void>
  #position: FanOutPosition | null = null
  #leasedUntil = 0
  /** True since the dispatcher had no room in time: then nobody waits for it. */
  #congested = false

  constructor(store: Store, index: WatchIndex, options: FanOutOptions) {
    this.#store = store
    this.#index = index
    this.#options = options
    this.#sleep = new WakeableSleep(options.pollIntervalMs)
    const stopListening = store.events.onAppend(() => this.#sleep.wake())
    this.#finished = this.#run().finally(stopListening)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sleep.stop()
    await this.#finished
    if (this.#position !== null) await this.#store.fanOut.release(this.#options.owner).catch(this.#options.onError)
  }

  async #run(): Promise<void> {
    while (!this.#sleep.stopped) {
      let busy = false
      try {
        busy = await this.#fanOutBatch()
      } catch (error) {
        this.#options.onError(error)
        // The lease and the position in memory may be wrong after an error: read them again.
        this.#position = null
      }
      if (!busy) await this.#sleep.wait()
    }
  }

  /** Returns whether more events may be waiting. */
  async #fanOutBatch(): Promise<boolean> {
    const position = await this.#leasePosition()
    if (position === null) return false
    this.#sleep.clearWake()
    const readAt = performance.now()
    const events = await this.#store.events.after(position.seq, EVENT_BATCH)
    if (events.length === 0) return false
    // Includes every watch that was created before one of these events was committed.
    await this.#index.catchUp()
    await this.#writeDeliveries(position, { events, readAt: events.length < EVENT_BATCH ? readAt : null })
    return events.length === EVENT_BATCH || this.#position === null
  }

  async #leasePosition(): Promise<FanOutPosition | null> {
    const { owner, clock, holdsLeases } = this.#options
    if (!holdsLeases()) return null
    const now = clock()
    if (this.#position !== null && now < this.#leasedUntil - RENEW_BELOW_MS) return this.#position
    this.#leasedUntil = now + LEASE_MS
    this.#position = await this.#store.fanOut.lease(owner, now, this.#leasedUntil)
    return this.#position
  }

  async #writeDeliveries(start: FanOutPosition, read: LogRead): Promise<void> {
    let from = start
    let deliveries: PlannedDelivery['delivery'][] = []
    let batchSize = FIRST_BATCH
    for (const event of read.events) {
      const { kind, seq } = event
      if (!isWatchEvent(kind)) continue
      const incident = JSON.parse(event.document) as Incident
      const before = kind === 'incident.updated' ? await this.#fieldsBefore(event) : null
      const critical = incident.severity === 'critical'
      const ids = this.#index.watchesFor(kind, seq, indexedFieldsOf(incident), before)
      const order = fanOutOrder(this.#index.withAccounts(ids), this.#options.dispatcher.isPrompt)
      const after = from.seq === seq - 1 ? from.afterWatchId : null
      for (const { id: watchId, accountId, position } of order) {
        if (after !== null && watchId <= after) continue
        const id = newIdentifier('delivery', this.#options.clock(), pooledRandomBytes)
        deliveries.push({ id, watchId, accountId, eventSeq: seq, kind, critical })
        if (deliveries.length % DELIVERIES_PER_TURN === 0) await nextTurn()
        if (deliveries.length < batchSize) continue
        const to = { seq: seq - 1, afterWatchId: position ?? after }
        if (!(await this.#writeBatch(from, to, deliveries, read))) return
        from = to
        deliveries = []
        batchSize = LATER_BATCH
      }
    }
    await this.#writeBatch(from, { seq: read.events.at(-1)!.seq, afterWatchId: null }, deliveries, read)
  }

  /** Returns false if another process has taken over the lease; it continues the work. */
  async #writeBatch(
    from: FanOutPosition,
    to: FanOutPosition,
    deliveries: readonly PlannedDelivery['delivery'][],
    { events, readAt }: LogRead,
  ): Promise<boolean> {
    const { owner, clock, onLeased } = this.#options
    const planned = await this.#planWithRoom(deliveries)
    const now = clock()
    const leaseUntil = now + DELIVERY_LEASE_MS
    const chunk = { from, to, deliveries: planned.map((each) => this.#withDueTime(each, now)) }
    const dispatches = await this.#store.fanOut.write(owner, chunk, now, leaseUntil)
    this.#position = dispatches === null ? null : to
    if (dispatches === null) return false
    const leased = dispatches.filter(({ delivery }) => delivery.leaseOwner !== null)
    if (leased.length > 0) onLeased(leased, new Map(events.map((event) => [event.seq, event])), leaseUntil, readAt)
    return true
  }

  /**
   * Waits briefly until the dispatcher takes all deliveries whose watches answer. Once that was in
   * vain, nobody waits for it again until it has room: a full queue must not stop the fan-out.
   */
  async #planWithRoom(deliveries: readonly PlannedDelivery['delivery'][]): Promise<PlannedDelivery[]> {
    const { plan } = this.#options.dispatcher
    const isBusy = (planned: readonly PlannedDelivery[]) => planned.some(({ admission }) => admission === 'busy')
    let planned = plan(deliveries)
    let polls = this.#congested ? 0 : ROOM_TIMEOUT_MS / ROOM_POLL_MS
    for (; polls > 0 && isBusy(planned) && !this.#sleep.stopped; polls--) {
      await wait(ROOM_POLL_MS)
      planned = plan(deliveries)
    }
    this.#congested = isBusy(planned)
    return planned
  }

  #withDueTime({ delivery, admission }: PlannedDelivery, now: number): NewDelivery {
    if (admission === 'queue') return delivery
    return { ...delivery, dueAt: admission === 'busy' ? now : this.#options.dispatcher.postponedUntil(delivery) }
  }

  /** A watch that matched before the update is notified, even if it no longer matches. */
  async #fieldsBefore({ incidentId, seq }: LogEvent) {
    const document = await this.#store.events.documentBefore(incidentId, seq)
    return document === null ? null : indexedFieldsOf(JSON.parse(document) as Incident)
  }
}

function isWatchEvent(kind: string): kind is WatchEvent {
  return (WATCH_EVENTS as readonly string[]).includes(kind)
}

const randomPool = Buffer.allocUnsafe(4096)
let usedBytes = randomPool.length

/** Like `randomBytes` of node:crypto, which for few bytes costs half as much as signing. */
export function pooledRandomBytes(size: number): Uint8Array {
  if (usedBytes + size > randomPool.length) {
    randomFillSync(randomPool)
    usedBytes = 0
  }
  usedBytes += size
  // A copy, which the next refill does not change.
  return Uint8Array.prototype.slice.call(randomPool, usedBytes - size, usedBytes)
}
