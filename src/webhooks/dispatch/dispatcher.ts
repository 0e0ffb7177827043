import type { SendResult } from '../../domain/delivery/send-result.ts'
import { verdictOn } from '../../domain/delivery/verdict.ts'
import { EventLoopBudget } from '../../lib/async/event-loop-budget.ts'
import { WakeableSleep } from '../../lib/async/wakeable-sleep.ts'
import type { AttemptResult, Dispatch, FailingWatch, LogEvent, Store } from '../../store/store.ts'
import { deliveryRequest } from '../send/webhook-request.ts'
import type { WebhookSender } from '../send/webhook-sender.ts'
import { AttemptRecorder } from './attempt-recorder.ts'
import { resultOf } from './attempt-result.ts'
import { EventCache } from './event-cache.ts'
import { type HostHealth, type HostQueue, HostQueues, type QueuedDelivery } from './host-queues.ts'
import { InFlightAttempts } from './in-flight-attempts.ts'

export interface DispatcherOptions {
  /** This process, among all that share the database. */
  readonly owner: string
  readonly clock: () => number
  readonly random: () => number
  /** Attempts under way, in all and at one host; those that hang do not count. */
  readonly concurrency: number
  readonly perHost: number
  /** How long to wait for a wake-up before looking anyway, in milliseconds. */
  readonly pollEvery: number
  readonly onError: (error: unknown) => void
  /** An attempt has ended. `sinceCommit` is how long ago its event was committed, where it was delivered. */
  readonly onAttempt: (result: AttemptResult, sinceCommit: number | null) => void
  /** Watches with failures just written down; `gone` are those whose endpoint said so. */
  readonly onFailing: (failing: readonly FailingWatch[], gone: ReadonlySet<string>) => Promise<void>
}

/** Deliveries that wait here at most; below the second number, more are leased. */
const HELD = 4000
const LOW = 2000
/** What comes from the database in one piece is read in one piece, and requests wait meanwhile. */
const LEASED_AT_ONCE = 250
/** More are leased once no more than this wait in all: a host that has so many by itself is then left out of no lease. */
const MOST_WAITING_PER_HOST = LOW
const SILENT_WAITING = 5
const REMEMBER_TROUBLE_FOR = 60_000
const LEASE = 60_000
/** An attempt takes up to 15 s: one that would be begun later than this before its lease ends is left to the next holder. */
const MARGIN = 20_000
const FINISH_WITHIN = 3000
/** To begin one takes 30 µs or so. */
const BEGUN_IN_A_TURN = 4

/** Sends deliveries: those it is handed, and those it leases from the database. */
export class Dispatcher implements AsyncDisposable {
  readonly #store: Store
  readonly #sender: Pick<WebhookSender, 'post'>
  readonly #options: DispatcherOptions
  readonly #events: EventCache
  readonly #lanes: HostQueues
  readonly #inFlight: InFlightAttempts
  readonly #recorder: AttemptRecorder
  readonly #rest: WakeableSleep
  readonly #feeding: Promise<void>
  readonly #gone = new Set<string>()
  readonly #turn = new EventLoopBudget(BEGUN_IN_A_TURN, () => this.#pump())
  #moreIsDue = false

  constructor(store: Store, sender: Pick<WebhookSender, 'post'>, options: DispatcherOptions) {
    this.#store = store
    this.#sender = sender
    this.#options = options
    const { owner, clock, onError } = options
    this.#events = new EventCache(store.events)
    this.#lanes = new HostQueues({
      perHost: options.perHost,
      slowWaiting: HELD,
      silentWaiting: SILENT_WAITING,
      rememberFor: REMEMBER_TROUBLE_FOR,
      clock: () => performance.now(),
    })
    this.#inFlight = new InFlightAttempts(options.concurrency, (lane) => {
      this.#lanes.slow(lane)
      this.#pump()
    })
    const onRecorded = (_: unknown, failing: readonly FailingWatch[]) => this.#recorded(failing)
    this.#recorder = new AttemptRecorder(store.deliveries, { owner, clock, onError, onRecorded })
    this.#rest = new WakeableSleep(options.pollEvery)
    const stopListening = store.deliveries.onDue(() => this.#rest.wake())
    this.#feeding = this.#feed().finally(stopListening)
  }

  /** How many more it would take. */
  get room(): number {
    return this.#rest.stopped ? 0 : HELD - this.#lanes.waiting - this.#recorder.pending
  }

  /** Sends what has been leased for it. */
  sendLeased(dispatches: readonly Dispatch[], events: ReadonlyMap<number, LogEvent>, leasedUntil: number): void {
    for (const event of events.values()) this.#events.addEvent(event)
    for (const dispatch of dispatches) this.#lanes.add({ dispatch, leasedUntil })
    this.#pump()
  }

  /** Begins nothing more, waits a little for what is under way, and writes down how it went. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#rest.stop()
    this.#lanes.clear()
    await this.#feeding
    await this.#inFlight.finish(FINISH_WITHIN)
    await this.#recorder[Symbol.asyncDispose]()
  }

  async #feed(): Promise<void> {
    while (!this.#rest.stopped) {
      try {
        this.#rest.begin()
        this.#moreIsDue = await this.#leaseSome()
      } catch (error) {
        this.#options.onError(error)
        // Looking again at once would only repeat it.
        this.#moreIsDue = false
      }
      if (!this.#moreIsDue || !this.#hasRoom()) await this.#rest.wait()
    }
  }

  /** What is sent faster than it is written down would be sent again after a crash: so both are waited for. */
  #hasRoom(): boolean {
    return this.#lanes.waiting <= LOW && this.#recorder.pending <= HELD
  }

  /** Whether there is more to be had. */
  async #leaseSome(): Promise<boolean> {
    if (!this.#hasRoom()) return true
    this.#lanes.forgetIdle()
    const now = this.#options.clock()
    const limit = Math.min(LEASED_AT_ONCE, HELD - this.#lanes.waiting)
    const except = this.#lanes.full(MOST_WAITING_PER_HOST)
    const leased = await this.#store.deliveries.lease(this.#options.owner, now, now + LEASE, limit, except)
    for (const dispatch of leased.dispatches) this.#lanes.add({ dispatch, leasedUntil: now + LEASE })
    this.#pump()
    return leased.more
  }

  #pump(): void {
    while (!this.#rest.stopped) {
      const room = this.#inFlight.room
      if (room === 'none' || !this.#turn.tryStart()) break
      const next = this.#lanes.take(room === 'quick')
      if (next === null) break
      if (this.#options.clock() > next.waiting.leasedUntil - MARGIN) this.#lanes.done(next.lane, null)
      else void this.#attempt(next.lane, next.waiting)
    }
    if (this.#moreIsDue && this.#hasRoom()) this.#rest.wake()
  }

  async #attempt(lane: HostQueue, { dispatch }: QueuedDelivery): Promise<void> {
    const flight = this.#inFlight.begin(lane)
    let sent: SendResult | null = null
    try {
      const { eventSeq } = dispatch.delivery
      const event = this.#events.cachedEvent(eventSeq) ?? (await this.#events.readEvent(eventSeq))
      sent = await this.#sender.post(deliveryRequest(dispatch, event, this.#options.clock()))
      this.#settle(dispatch, event, sent)
    } catch (error) {
      // The database could not be read, or a fault of ours: the lease runs out, and it is tried again.
      this.#options.onError(error)
    }
    const slow = this.#inFlight.end(flight)
    this.#lanes.done(lane, sent === null ? null : paceShown(sent, slow))
    this.#pump()
  }

  #settle({ delivery }: Dispatch, event: LogEvent, sent: SendResult): void {
    const now = this.#options.clock()
    const verdict = verdictOn(sent, delivery.tries + 1, now, this.#options.random)
    if (verdict.outcome === 'gone') this.#gone.add(delivery.watchId)
    const result = resultOf(delivery.id, sent, verdict)
    this.#recorder.addResult(result)
    this.#options.onAttempt(result, verdict.outcome === 'delivered' ? now - event.at : null)
  }

  async #recorded(failing: readonly FailingWatch[]): Promise<void> {
    // There may be room again.
    this.#pump()
    if (failing.length === 0) {
      // Those of watches that were deleted meanwhile are never told of.
      if (this.#recorder.pending === 0) this.#gone.clear()
      return
    }
    const gone = new Set(failing.map(({ watchId }) => watchId).filter((watchId) => this.#gone.has(watchId)))
    await this.#options.onFailing(failing, gone)
    for (const watchId of gone) this.#gone.delete(watchId)
  }
}

function paceShown({ status }: SendResult, slow: boolean): HostHealth {
  if (status === null) return 'silent'
  return slow ? 'slow' : 'quick'
}
