import type { ChannelKind } from '../../domain/channel.ts'
import type { AttemptResult, Dispatch, FailingWatch, LogEvent, Store } from '../../store/store.ts'
import { AlertAdmission } from '../alerts/alert-cap.ts'
import type { ChannelSettings } from '../channels/channel-request.ts'
import type { MailSender } from '../send/mail-sender.ts'
import type { MessageSender } from '../send/message.ts'
import { SiteNames } from '../send/site-names.ts'
import { AttemptFollower } from './attempt-follower.ts'
import { AttemptStarter } from './attempt-starter.ts'
import { AttemptOutcomes } from './attempts/attempt-outcomes.ts'
import { AttemptRecorder } from './attempts/attempt-recorder.ts'
import { CombinedAttempts } from './attempts/combined-attempts.ts'
import { InFlightAttempts } from './attempts/in-flight-attempts.ts'
import { MessageAttempts } from './attempts/message-attempts.ts'
import { SingleAttempts } from './attempts/single-attempts.ts'
import { ChannelPacing } from './channel-pacing.ts'
import { LEASE_MS, LeaseLoop } from './lease-loop.ts'
import { MessageSource } from './messages/message-source.ts'
import { PostponedDeliveries } from './postponed-deliveries.ts'
import { Postponement } from './postponement.ts'
import { MAX_WAITING } from './queues/admission/admission.ts'
import { DeliveryPlan, type PlannedDelivery } from './queues/admission/delivery-plan.ts'
import { DeliveryQueues } from './queues/delivery-queues.ts'
import { inFlightLimits } from './queues/pool-limits.ts'
import type { QueuedDelivery } from './queues/watch-queue.ts'
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

const DRAIN_TIMEOUT_MS = 3000

/** Sends deliveries: those handed to it by the fan-out, and those it leases from the database. */
export class Dispatcher implements AsyncDisposable {
  readonly #options: DispatcherOptions
  readonly #messages: MessageSource
  readonly #queues: DeliveryQueues
  readonly #inFlight: InFlightAttempts
  readonly #postponed: PostponedDeliveries
  readonly #postponement: Postponement
  readonly #recorder: AttemptRecorder
  readonly #leasing: LeaseLoop
  readonly #follower: AttemptFollower
  readonly #starter: AttemptStarter

  constructor(store: Store, sender: MessageSender, options: DispatcherOptions) {
    this.#options = options
    const { owner, clock, onError, mails, isAccountDeleted } = options
    const pacing = new ChannelPacing(clock)
    this.#messages = new MessageSource(store, () => performance.now())
    const queues = new DeliveryQueues({
      limits: inFlightLimits(options.concurrency, options.perHost),
      clock: () => performance.now(),
      onRefill: () => this.#leasing.wake(),
    })
    this.#queues = queues
    const postponed = new PostponedDeliveries(store.deliveries, { owner, clock, onError })
    this.#postponed = postponed
    const postponement = new Postponement({ queues, postponed, clock })
    this.#postponement = postponement
    const responses = new WatchResponses({ queues, postponed, postponement })
    this.#inFlight = new InFlightAttempts({
      onLate: (attempt) => responses.noteWaiting(attempt),
      isCrowded: ({ pool }) => queues.isCrowded(pool),
      suspend: (attempt) => queues.suspend(attempt),
      onRoom: () => this.#starter.startAttempts(),
    })
    const onRecorded = (_: unknown, failing: readonly FailingWatch[]) => this.#onRecorded(failing)
    this.#recorder = new AttemptRecorder(store.deliveries, { owner, clock, onError, onRecorded })
    const outcomes = new AttemptOutcomes({ ...options, recorder: this.#recorder, postponed, pacing })
    const messages = new MessageAttempts({
      senders: { sender, mails },
      channels: options.channels,
      messages: this.#messages,
      siteNames: new SiteNames(store.siteLists),
      outcomes,
      clock,
    })
    const alerts = new AlertAdmission(store.mails, options)
    const single = new SingleAttempts({ messages, outcomes, alerts, isAccountDeleted })
    const combined = new CombinedAttempts({
      ...options,
      alerts,
      events: store.events,
      deliveries: store.deliveries,
      messages,
      outcomes,
      leaseMs: LEASE_MS,
      released: (queued) => postponement.released(queued),
    })
    const leasing = new LeaseLoop(store.deliveries, {
      ...options,
      queues,
      unrecorded: () => this.#recorder.pending,
      onLeased: (queued) => this.#enqueueLeased(queued),
    })
    this.#leasing = leasing
    const onEnd = () => this.#starter.startAttempts()
    const follower = new AttemptFollower({ queues, leasing, inFlight: this.#inFlight, responses, onEnd, onError })
    this.#follower = follower
    this.#starter = new AttemptStarter({
      ...options,
      queues,
      leasing,
      single,
      combined,
      follower,
      pacing,
      postponed,
      postponement,
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

  /**
   * Sends deliveries that are already leased to this process; `readAt`: `MessageSource.addEvents`.
   */
  sendLeased(
    dispatches: readonly Dispatch[],
    events: ReadonlyMap<number, LogEvent>,
    leasedUntil: number,
    readAt: number | null,
  ): void {
    this.#messages.addEvents(events, readAt)
    for (const dispatch of dispatches) this.#queues.enqueue({ dispatch, leasedUntil })
    this.#starter.startAttempts()
  }

  /** Forgets the deliveries that wait here: another process has their leases. */
  dropLeased(): void {
    this.#follower.dropLeased()
    this.#queues.clear()
  }

  /** Continues after a time in which the leases did not hold. */
  resume(): void {
    this.#starter.startAttempts()
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
      if (admission === 'postpone') this.#postponement.postpone(queued.dispatch)
      else this.#queues.enqueue(queued)
    }
    this.#starter.startAttempts()
  }

  async #onRecorded(failing: readonly FailingWatch[]): Promise<void> {
    this.#starter.startAttempts()
    if (failing.length > 0) await this.#options.onFailing(failing)
  }
}
