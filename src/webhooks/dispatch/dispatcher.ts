import type { ChannelSettings } from '../../channels/channel-request.ts'
import type { ChannelKind } from '../../domain/channel.ts'
import type { SendResult } from '../../domain/delivery/send-result.ts'
import { EventLoopBudget } from '../../lib/async/event-loop-budget.ts'
import type { AttemptResult, Dispatch, FailingWatch, LogEvent, Store } from '../../store/store.ts'
import type { MailSender } from '../send/mail/mail-sender.ts'
import type { MessageSender } from '../send/outgoing-request.ts'
import { SiteNames } from '../send/site-names.ts'
import { AlertAdmission } from './attempts/alert-admission.ts'
import { AttemptOutcomes } from './attempts/attempt-outcomes.ts'
import { AttemptRecorder } from './attempts/attempt-recorder.ts'
import { CombinedAttempts, MAX_TOGETHER } from './attempts/combined-attempts.ts'
import { type InFlightAttempt, InFlightAttempts } from './attempts/in-flight-attempts.ts'
import { type AttemptEnd, MessageAttempts, NOTHING_SENT } from './attempts/message-attempts.ts'
import { SingleAttempts } from './attempts/single-attempts.ts'
import { ChannelPacing } from './channel-pacing.ts'
import { LEASE_MS, LeaseLoop } from './lease-loop.ts'
import { MessageSource } from './messages/message-source.ts'
import { PostponedDeliveries } from './postponed-deliveries.ts'
import { MAX_WAITING } from './queues/admission/admission.ts'
import { DeliveryPlan, type PlannedDelivery } from './queues/admission/delivery-plan.ts'
import { DeliveryQueues, type StartedAttempt } from './queues/delivery-queues.ts'
import { inFlightLimits } from './queues/pool-limits.ts'
import type { QueuedDelivery } from './queues/watch-queue.ts'
import { goesTogether, heldUntil, isCombined } from './scheduled-delivery.ts'
import { WatchResponses } from './watch-responses.ts'

export interface DispatcherOptions {
  /** The name of this process among all that share the database. */
  readonly owner: string
  readonly clock: () => number
  readonly random: () => number
  readonly channels: ChannelSettings
  /** Null if no mail server is configured. */
  readonly mails: MailSender | null
  /** ALERTS_PER_HOUR */
  readonly alertsPerHour: number
  /** Attempts in flight at endpoints that answer in time, in all and at one host. */
  readonly concurrency: number
  readonly perHost: number
  /** Database poll interval, for lost notifications, in milliseconds. */
  readonly pollIntervalMs: number
  /** Whether the account was deleted lately: what is queued for it must not be sent any more. */
  readonly isAccountDeleted: (accountId: string) => boolean
  /** False while others may take this process for dead: then nothing is leased or sent. */
  readonly holdsLeases: () => boolean
  readonly onError: (error: unknown) => void
  /** Called after each attempt; `sinceCommit` is the event's age if it was delivered, else null. */
  readonly onAttempt: (result: AttemptResult, sinceCommit: number | null, channel: ChannelKind) => void
  /** Called with watches whose failures were just recorded. */
  readonly onFailing: (failing: readonly FailingWatch[]) => Promise<void>
}

/** An attempt takes up to 15 s: it is skipped if less than this is left of its lease. */
const LEASE_MARGIN_MS = 20_000
const DRAIN_TIMEOUT_MS = 3000
/** Starting an attempt takes about 10 µs. */
const STARTS_PER_TURN = 16

/** Sends deliveries: those handed to it by the fan-out, and those it leases from the database. */
export class Dispatcher implements AsyncDisposable {
  readonly #options: DispatcherOptions
  readonly #messages: MessageSource
  readonly #queues: DeliveryQueues
  readonly #inFlight: InFlightAttempts
  readonly #postponed: PostponedDeliveries
  readonly #responses: WatchResponses
  readonly #pacing: ChannelPacing
  readonly #recorder: AttemptRecorder
  readonly #single: SingleAttempts
  readonly #combined: CombinedAttempts
  readonly #leasing: LeaseLoop
  readonly #budget = new EventLoopBudget(STARTS_PER_TURN, () => this.#startAttempts())
  #continuing = false
  /** Counts how often the leases of this process were taken by others. */
  #dropped = 0

  constructor(store: Store, sender: MessageSender, options: DispatcherOptions) {
    this.#options = options
    const { owner, clock, onError, mails, isAccountDeleted } = options
    this.#pacing = new ChannelPacing(clock)
    this.#messages = new MessageSource(store, () => performance.now())
    this.#queues = new DeliveryQueues({
      limits: inFlightLimits(options.concurrency, options.perHost),
      clock: () => performance.now(),
      onRefill: () => this.#leasing.wake(),
    })
    this.#inFlight = new InFlightAttempts({
      onLate: (attempt) => this.#responses.noteWaiting(attempt),
      isCrowded: ({ pool }) => this.#queues.isCrowded(pool),
      suspend: (attempt) => this.#queues.suspend(attempt),
      onRoom: () => this.#startAttempts(),
    })
    this.#postponed = new PostponedDeliveries(store.deliveries, { owner, clock, onError })
    this.#responses = new WatchResponses({
      queues: this.#queues,
      postponed: this.#postponed,
      postpone: (dispatch) => this.#postpone(dispatch),
    })
    const onRecorded = (_: unknown, failing: readonly FailingWatch[]) => this.#onRecorded(failing)
    this.#recorder = new AttemptRecorder(store.deliveries, { owner, clock, onError, onRecorded })
    const recorded = { recorder: this.#recorder, postponed: this.#postponed, pacing: this.#pacing }
    const outcomes = new AttemptOutcomes({ ...options, ...recorded })
    const messages = new MessageAttempts({
      senders: { sender, mails },
      channels: options.channels,
      messages: this.#messages,
      siteNames: new SiteNames(store.siteLists),
      outcomes,
      clock,
    })
    const alerts = new AlertAdmission(store.mails, options)
    this.#single = new SingleAttempts({ messages, outcomes, alerts, isAccountDeleted })
    this.#combined = new CombinedAttempts({
      ...options,
      alerts,
      events: store.events,
      deliveries: store.deliveries,
      messages,
      outcomes,
      leaseMs: LEASE_MS,
      released: (queued) => this.#released(queued),
    })
    this.#leasing = new LeaseLoop(store.deliveries, {
      ...options,
      queues: this.#queues,
      unrecorded: () => this.#recorder.pending,
      onLeased: (queued) => this.#enqueueLeased(queued),
    })
  }

  /** Whether the watch's endpoint is known to answer in time. */
  isPrompt(watchId: string): boolean {
    return this.#queues.records.isPrompt(watchId)
  }

  /** Deliveries that wait here for watches that answer in time. */
  get waiting(): number {
    return this.#queues.waiting
  }

  /** Messages that were sent and not yet answered. */
  get inFlight(): number {
    return this.#inFlight.size
  }

  /** Decides which of the deliveries this process leases; the others stay in the database. */
  plan(deliveries: readonly PlannedDelivery['delivery'][]): PlannedDelivery[] {
    if (this.#leasing.stopped) return deliveries.map((delivery) => ({ delivery, admission: 'busy' }))
    const room = MAX_WAITING - this.#recorder.pending
    return new DeliveryPlan(this.#queues, room).add(deliveries)
  }

  /** When a delivery falls due that the plan postpones. */
  postponedUntil({ watchId, accountId }: PlannedDelivery['delivery']): number {
    return this.#options.clock() + this.#queues.postponement({ watchId, accountId, failing: false })
  }

  /** Sends deliveries that are already leased to this process; `readAt`: `MessageSource.addEvents`. */
  sendLeased(
    dispatches: readonly Dispatch[],
    events: ReadonlyMap<number, LogEvent>,
    leasedUntil: number,
    readAt: number | null,
  ): void {
    this.#messages.addEvents(events, readAt)
    for (const dispatch of dispatches) this.#queues.enqueue({ dispatch, leasedUntil })
    this.#startAttempts()
  }

  /** Forgets the deliveries that wait here: another process has their leases. */
  dropLeased(): void {
    this.#dropped++
    this.#queues.clear()
  }

  /** Continues after a time in which the leases did not hold. */
  resume(): void {
    this.#startAttempts()
  }

  /** Starts no further attempt, waits briefly for those in flight, and records their results. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#leasing.stop()
    this.#queues.clear()
    await this.#leasing[Symbol.asyncDispose]()
    await this.#inFlight.drain(DRAIN_TIMEOUT_MS)
    await this.#recorder[Symbol.asyncDispose]()
    await this.#postponed[Symbol.asyncDispose]()
  }

  #enqueueLeased(leased: readonly QueuedDelivery[]): void {
    for (const queued of leased) {
      const { accountId, failing, delivery } = queued.dispatch
      const admission = this.#queues.admission({ watchId: delivery.watchId, accountId, failing })
      // One batch more than the share: the next lease excludes a full account or watch.
      if (admission === 'postpone') this.#postpone(queued.dispatch)
      else this.#queues.enqueue(queued)
    }
    this.#startAttempts()
  }

  #postpone({ delivery, accountId, failing }: Dispatch): void {
    const delay = this.#queues.postponement({ watchId: delivery.watchId, accountId, failing })
    this.#postponed.postpone(delivery.id, this.#options.clock() + delay)
  }

  #startAttempts(): void {
    if (!this.#options.holdsLeases()) return
    while (!this.#leasing.stopped && this.#budget.tryStart()) {
      const started = this.#queues.start()
      if (started === null) {
        this.#continueSearch()
        break
      }
      this.#startAttempt(started)
    }
    this.#leasing.wakeIfRoom()
  }

  /** Makes the attempt, or gives the delivery back until its time. */
  #startAttempt(started: StartedAttempt): void {
    const { queue, queued } = started
    if (this.#combined.join(queued)) {
      this.#queues.finish(started)
      return
    }
    const [released] = this.#released([queued])
    if (released === undefined) {
      this.#queues.finish(started)
      return
    }
    const { dispatch, leasedUntil } = queued
    const others = goesTogether(dispatch) ? this.#released(this.#queues.takeWaiting(queue, MAX_TOGETHER - 1)) : []
    const all = [queued, ...others]
    const paced = this.#pacing.startAt(firstOf(all).dispatch)
    if (paced !== null) {
      for (const each of all) this.#postponed.postpone(each.dispatch.delivery.id, paced)
      this.#queues.finish(started)
    } else if (this.#options.clock() > leasedUntil - LEASE_MARGIN_MS) {
      for (const each of all) this.#postpone(each.dispatch)
      this.#queues.finish(started)
    } else
      void this.#attempt(started, () =>
        isCombined(dispatch) ? this.#combined.attempt(started, others) : this.#single.attempt(queued),
      )
  }

  /** Gives back what the schedule of its watch still holds: by a retry, or since the watch was changed. */
  #released(queued: readonly QueuedDelivery[]): QueuedDelivery[] {
    const now = this.#options.clock()
    return queued.filter(({ dispatch }) => {
      const until = heldUntil(dispatch, now)
      if (until !== null) this.#postponed.postpone(dispatch.delivery.id, until)
      return until === null
    })
  }

  /** Looks at further watches in the next turn: thousands may wait without room. */
  #continueSearch(): void {
    if (this.#continuing || !this.#queues.unfinished) return
    this.#continuing = true
    setImmediate(() => {
      this.#continuing = false
      this.#startAttempts()
    })
  }

  async #attempt(started: StartedAttempt, makeAttempt: () => Promise<AttemptEnd>): Promise<void> {
    const attempt = this.#inFlight.add(started)
    const dropped = this.#dropped
    let end = NOTHING_SENT
    try {
      end = await makeAttempt()
    } catch (error) {
      // A read error or a bug. The deliveries are sent again once their leases expire.
      this.#options.onError(error)
    }
    this.#finish(attempt, end.sent)
    if (dropped === this.#dropped) for (const queued of end.lost) this.#sendAgain(queued)
    this.#startAttempts()
  }

  /**
   * Queues a delivery again whose attempt was lost with the sender: its lease still holds. A second
   * loss counts as an attempt, so that a message which ends the sender is not sent for ever.
   */
  #sendAgain(queued: QueuedDelivery): void {
    if (!this.#leasing.stopped) this.#queues.enqueue({ ...queued, wasLost: true })
  }

  #finish(attempt: InFlightAttempt, sent: SendResult | null): void {
    const late = this.#inFlight.end(attempt)
    if (sent !== null) this.#responses.noteAnswer(attempt, sent, late)
    this.#queues.finish(attempt)
  }

  async #onRecorded(failing: readonly FailingWatch[]): Promise<void> {
    this.#startAttempts()
    if (failing.length > 0) await this.#options.onFailing(failing)
  }
}

/** The one whose time the channel keeps, however often they are given back. */
function firstOf(queued: readonly QueuedDelivery[]): QueuedDelivery {
  return queued.reduce((first, each) =>
    each.dispatch.delivery.sequence < first.dispatch.delivery.sequence ? each : first,
  )
}
