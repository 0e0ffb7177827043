import type { SendResult } from '../../domain/delivery/send-result.ts'
import { verdictOn } from '../../domain/delivery/verdict.ts'
import { EventLoopBudget } from '../../lib/async/event-loop-budget.ts'
import { WakeableSleep } from '../../lib/async/wakeable-sleep.ts'
import type { AttemptResult, Dispatch, FailingWatch, LogEvent, Store } from '../../store/store.ts'
import { deliveryRequest } from '../send/webhook-request.ts'
import type { WebhookSender } from '../send/webhook-sender.ts'
import { AttemptRecorder } from './attempt-recorder.ts'
import { attemptResultOf } from './attempt-result.ts'
import { EventCache } from './event-cache.ts'
import { type HostHealth, type HostQueue, HostQueues, type QueuedDelivery } from './host-queues.ts'
import { InFlightAttempts } from './in-flight-attempts.ts'

export interface DispatcherOptions {
  /** The name of this process among all that share the database. */
  readonly owner: string
  readonly clock: () => number
  readonly random: () => number
  /** Attempts in flight, in all and at one host; slow ones are not counted. */
  readonly concurrency: number
  readonly perHost: number
  /** Database poll interval, for lost notifications, in milliseconds. */
  readonly pollIntervalMs: number
  /** False while others may take this process for dead: then nothing is leased or sent. */
  readonly holdsLeases: () => boolean
  readonly onError: (error: unknown) => void
  /** Called after each attempt; `sinceCommit` is the event's age if it was delivered, else null. */
  readonly onAttempt: (result: AttemptResult, sinceCommit: number | null) => void
  /** Called with watches whose failures were just recorded; those in `gone` answered 410. */
  readonly onFailing: (failing: readonly FailingWatch[], gone: ReadonlySet<string>) => Promise<void>
}

/** Deliveries that wait in memory at most; more are leased at `REFILL_BELOW` or fewer. */
const MAX_WAITING = 4000
const REFILL_BELOW = 2000
/** All rows of a lease are parsed in one turn of the event loop, and requests wait meanwhile. */
const LEASE_BATCH = 250
/**
 * A lease excludes hosts with this many waiting. Leasing stops above that total anyway, so a single
 * busy host is never excluded.
 */
const MAX_WAITING_PER_HOST = REFILL_BELOW
const MAX_WAITING_SILENT = 5
const REMEMBER_HEALTH_MS = 60_000
const LEASE_MS = 60_000
/** An attempt takes up to 15 s: it is skipped if less than this is left of its lease. */
const LEASE_MARGIN_MS = 20_000
const DRAIN_TIMEOUT_MS = 3000
/** Starting an attempt takes about 30 µs. */
const STARTS_PER_TURN = 4

/** Sends deliveries: those handed to it by the fan-out, and those it leases from the database. */
export class Dispatcher implements AsyncDisposable {
  readonly #store: Store
  readonly #sender: Pick<WebhookSender, 'post'>
  readonly #options: DispatcherOptions
  readonly #events: EventCache
  readonly #queues: HostQueues
  readonly #inFlight: InFlightAttempts
  readonly #recorder: AttemptRecorder
  readonly #sleep: WakeableSleep
  readonly #leasing: Promise<void>
  readonly #gone = new Set<string>()
  readonly #budget = new EventLoopBudget(STARTS_PER_TURN, () => this.#startAttempts())
  #moreIsDue = false

  constructor(store: Store, sender: Pick<WebhookSender, 'post'>, options: DispatcherOptions) {
    this.#store = store
    this.#sender = sender
    this.#options = options
    const { owner, clock, onError } = options
    this.#events = new EventCache(store.events)
    this.#queues = new HostQueues({
      perHost: options.perHost,
      slowWaiting: MAX_WAITING,
      silentWaiting: MAX_WAITING_SILENT,
      rememberFor: REMEMBER_HEALTH_MS,
      clock: () => performance.now(),
    })
    this.#inFlight = new InFlightAttempts(options.concurrency, (queue) => {
      this.#queues.markSlow(queue)
      this.#startAttempts()
    })
    const onRecorded = (_: unknown, failing: readonly FailingWatch[]) => this.#onRecorded(failing)
    this.#recorder = new AttemptRecorder(store.deliveries, { owner, clock, onError, onRecorded })
    this.#sleep = new WakeableSleep(options.pollIntervalMs)
    const stopListening = store.deliveries.onDue(() => this.#sleep.wake())
    this.#leasing = this.#leaseLoop().finally(stopListening)
  }

  /** Free places for further deliveries. */
  get room(): number {
    return this.#sleep.stopped ? 0 : MAX_WAITING - this.#queues.waiting - this.#recorder.pending
  }

  /** Sends deliveries that are already leased to this process. */
  sendLeased(dispatches: readonly Dispatch[], events: ReadonlyMap<number, LogEvent>, leasedUntil: number): void {
    for (const event of events.values()) this.#events.addEvent(event)
    for (const dispatch of dispatches) this.#queues.enqueue({ dispatch, leasedUntil })
    this.#startAttempts()
  }

  /** Forgets the deliveries that wait here: another process has their leases. */
  dropLeased(): void {
    this.#queues.clear()
  }

  /** Continues after a time in which the leases did not hold. */
  resume(): void {
    this.#startAttempts()
  }

  /** Starts no further attempt, waits briefly for those in flight, and records their results. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#sleep.stop()
    this.#queues.clear()
    await this.#leasing
    await this.#inFlight.drain(DRAIN_TIMEOUT_MS)
    await this.#recorder[Symbol.asyncDispose]()
  }

  async #leaseLoop(): Promise<void> {
    while (!this.#sleep.stopped) {
      try {
        this.#sleep.clearWake()
        this.#moreIsDue = await this.#leaseBatch()
      } catch (error) {
        this.#options.onError(error)
        // Trying again at once would repeat the error: sleep first.
        this.#moreIsDue = false
      }
      if (!this.#moreIsDue || !this.#hasRoom()) await this.#sleep.wait()
    }
  }

  /** Counts unrecorded results too: after a crash, those messages are sent again. */
  #hasRoom(): boolean {
    return this.#queues.waiting <= REFILL_BELOW && this.#recorder.pending <= MAX_WAITING
  }

  /** Returns whether more deliveries are due. */
  async #leaseBatch(): Promise<boolean> {
    if (!this.#hasRoom()) return true
    if (!this.#options.holdsLeases()) return false
    this.#queues.forgetIdle()
    const now = this.#options.clock()
    const limit = Math.min(LEASE_BATCH, MAX_WAITING - this.#queues.waiting)
    const except = this.#queues.fullHosts(MAX_WAITING_PER_HOST)
    const leased = await this.#store.deliveries.lease(this.#options.owner, now, now + LEASE_MS, limit, except)
    for (const dispatch of leased.dispatches) this.#queues.enqueue({ dispatch, leasedUntil: now + LEASE_MS })
    this.#startAttempts()
    return leased.more
  }

  #startAttempts(): void {
    while (!this.#sleep.stopped && this.#options.holdsLeases()) {
      const room = this.#inFlight.room
      if (room === 'none' || !this.#budget.tryStart()) break
      const next = this.#queues.dequeue(room === 'healthy')
      if (next === null) break
      if (this.#options.clock() > next.queued.leasedUntil - LEASE_MARGIN_MS) this.#queues.finish(next.queue, null)
      else void this.#attempt(next.queue, next.queued)
    }
    if (this.#moreIsDue && this.#hasRoom()) this.#sleep.wake()
  }

  async #attempt(queue: HostQueue, { dispatch }: QueuedDelivery): Promise<void> {
    const attempt = this.#inFlight.start(queue)
    let sent: SendResult | null = null
    try {
      const { eventSeq } = dispatch.delivery
      const event = this.#events.cachedEvent(eventSeq) ?? (await this.#events.readEvent(eventSeq))
      sent = await this.#sender.post(deliveryRequest(dispatch, event, this.#options.clock()))
      this.#recordResult(dispatch, event, sent)
    } catch (error) {
      // A read error or a bug. The delivery is sent again once its lease expires.
      this.#options.onError(error)
    }
    const slow = this.#inFlight.end(attempt)
    this.#queues.finish(queue, sent === null ? null : observedHealth(sent, slow))
    this.#startAttempts()
  }

  #recordResult({ delivery }: Dispatch, event: LogEvent, sent: SendResult): void {
    const now = this.#options.clock()
    const verdict = verdictOn(sent, delivery.tries + 1, now, this.#options.random)
    if (verdict.outcome === 'gone') this.#gone.add(delivery.watchId)
    const result = attemptResultOf(delivery.id, sent, verdict)
    this.#recorder.addResult(result)
    this.#options.onAttempt(result, verdict.outcome === 'delivered' ? now - event.at : null)
  }

  async #onRecorded(failing: readonly FailingWatch[]): Promise<void> {
    this.#startAttempts()
    if (failing.length === 0) {
      // Watches deleted in the meantime are never reported as failing.
      if (this.#recorder.pending === 0) this.#gone.clear()
      return
    }
    const gone = new Set(failing.map(({ watchId }) => watchId).filter((watchId) => this.#gone.has(watchId)))
    await this.#options.onFailing(failing, gone)
    for (const watchId of gone) this.#gone.delete(watchId)
  }
}

function observedHealth({ kind }: SendResult, slow: boolean): HostHealth {
  if (kind === 'failed') return 'silent'
  return slow ? 'slow' : 'healthy'
}
