import type { ChannelSettings } from '../../channels/channel-request.ts'
import { type ChannelKind, isMessenger } from '../../domain/channel.ts'
import { combineMessages } from '../../domain/delivery/combined-messages.ts'
import type { Delivery } from '../../domain/delivery/delivery.ts'
import type { SendResult } from '../../domain/delivery/send-result.ts'
import { verdictOn } from '../../domain/delivery/verdict.ts'
import { EventLoopBudget } from '../../lib/async/event-loop-budget.ts'
import { WakeableSleep } from '../../lib/async/wakeable-sleep.ts'
import type { AttemptResult, Dispatch, FailingWatch, LogEvent, Store } from '../../store/store.ts'
import { ALERTS_ACCOUNT_ID } from '../alerts/alerts-account.ts'
import { postMessage, preparedDelivery } from '../send/channel-message.ts'
import { resultOfLoss } from '../send/failure.ts'
import type { MailSender } from '../send/mail/mail-sender.ts'
import { MailServerDown } from '../send/mail/mail-server-down.ts'
import { type MessageSender, SenderLost } from '../send/outgoing-request.ts'
import { SiteNames } from '../send/site-names.ts'
import { AlertAdmission } from './alert-admission.ts'
import { AttemptRecorder } from './attempt-recorder.ts'
import { attemptResultOf, cancellationOf } from './attempt-result.ts'
import { ChannelPacing } from './channel-pacing.ts'
import { type InFlightAttempt, InFlightAttempts } from './in-flight-attempts.ts'
import { MessageSource, type OutgoingMessage } from './message-source.ts'
import { PostponedDeliveries } from './postponed-deliveries.ts'
import { MAX_WAITING } from './queues/admission.ts'
import { DeliveryPlan, type PlannedDelivery } from './queues/delivery-plan.ts'
import { DeliveryQueues, type StartedAttempt } from './queues/delivery-queues.ts'
import { inFlightLimits } from './queues/pool-limits.ts'
import {
  type Observation,
  PROMPT,
  type ResponseRecord,
  recordAfter,
  recordWhileWaiting,
} from './queues/responsiveness.ts'
import type { QueuedDelivery, WatchQueue } from './queues/watch-queue.ts'
import { goesTogether, heldUntil } from './scheduled-delivery.ts'

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

/** All rows of a lease are parsed in one turn of the event loop, and requests wait meanwhile. */
const LEASE_BATCH = 100
const LEASE_MS = 60_000
/** An attempt takes up to 15 s: it is skipped if less than this is left of its lease. */
const LEASE_MARGIN_MS = 20_000
const DRAIN_TIMEOUT_MS = 3000
/** At least; twice as long at most, so that not all that waited fall due together. */
const MAIL_SERVER_WAIT_MS = 20_000
/** Deliveries in one message. */
const MAX_TOGETHER = 200
/** Starting an attempt takes about 10 µs. */
const STARTS_PER_TURN = 16

interface GatheredPart extends OutgoingMessage {
  readonly queued: QueuedDelivery
  readonly delivery: Delivery
}

/** Sends deliveries: those handed to it by the fan-out, and those it leases from the database. */
export class Dispatcher implements AsyncDisposable {
  readonly #store: Store
  readonly #sender: MessageSender
  readonly #options: DispatcherOptions
  readonly #messages: MessageSource
  readonly #siteNames: SiteNames
  readonly #queues: DeliveryQueues
  readonly #inFlight: InFlightAttempts
  readonly #postponed: PostponedDeliveries
  readonly #pacing: ChannelPacing
  readonly #alerts: AlertAdmission
  readonly #recorder: AttemptRecorder
  readonly #sleep: WakeableSleep
  readonly #leasing: Promise<void>
  readonly #budget = new EventLoopBudget(STARTS_PER_TURN, () => this.#startAttempts())
  /** Deliveries that a message is about to be made of, by watch. */
  readonly #gathering = new Map<string, QueuedDelivery[]>()
  #moreIsDue = false
  #continuing = false
  /** Counts how often the leases of this process were taken by others. */
  #dropped = 0

  constructor(store: Store, sender: MessageSender, options: DispatcherOptions) {
    this.#store = store
    this.#sender = sender
    this.#options = options
    const { owner, clock, onError } = options
    this.#pacing = new ChannelPacing(clock)
    this.#alerts = new AlertAdmission(store.mails, options)
    this.#messages = new MessageSource(store, () => performance.now())
    this.#siteNames = new SiteNames(store.siteLists)
    this.#queues = new DeliveryQueues({
      limits: inFlightLimits(options.concurrency, options.perHost),
      clock: () => performance.now(),
      onRefill: () => this.#sleep.wake(),
    })
    this.#inFlight = new InFlightAttempts({
      onLate: ({ queue }) => this.#setResponse(queue, recordWhileWaiting(queue.response)),
      isCrowded: ({ pool }) => this.#queues.isCrowded(pool),
      suspend: (attempt) => this.#queues.suspend(attempt),
      onRoom: () => this.#startAttempts(),
    })
    this.#postponed = new PostponedDeliveries(store.deliveries, { owner, clock, onError })
    const onRecorded = (_: unknown, failing: readonly FailingWatch[]) => this.#onRecorded(failing)
    this.#recorder = new AttemptRecorder(store.deliveries, { owner, clock, onError, onRecorded })
    this.#sleep = new WakeableSleep(options.pollIntervalMs)
    const stopListening = store.deliveries.onDue(() => this.#sleep.wake())
    this.#leasing = this.#leaseLoop().finally(stopListening)
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
    if (this.#sleep.stopped) return deliveries.map((delivery) => ({ delivery, admission: 'busy' }))
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
    this.#sleep.stop()
    this.#queues.clear()
    await this.#leasing
    await this.#inFlight.drain(DRAIN_TIMEOUT_MS)
    await this.#recorder[Symbol.asyncDispose]()
    await this.#postponed[Symbol.asyncDispose]()
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
    return this.#queues.waiting <= MAX_WAITING - LEASE_BATCH && this.#recorder.pending <= MAX_WAITING
  }

  /** Returns whether more deliveries are due. */
  async #leaseBatch(): Promise<boolean> {
    if (!this.#hasRoom()) return true
    if (!this.#options.holdsLeases()) return false
    const now = this.#options.clock()
    const leasedUntil = now + LEASE_MS
    const { deliveries } = this.#store
    const leased = await deliveries.lease(this.#options.owner, now, leasedUntil, LEASE_BATCH, this.#queues.fullQueues())
    for (const dispatch of leased.dispatches) {
      const { accountId, failing, delivery } = dispatch
      const admission = this.#queues.admission({ watchId: delivery.watchId, accountId, failing })
      // One batch more than the share: the next lease excludes a full account or watch.
      if (admission === 'postpone') this.#postpone(dispatch)
      else this.#queues.enqueue({ dispatch, leasedUntil })
    }
    this.#startAttempts()
    return leased.more
  }

  #postpone({ delivery, accountId, failing }: Dispatch): void {
    const delay = this.#queues.postponement({ watchId: delivery.watchId, accountId, failing })
    this.#postponed.postpone(delivery.id, this.#options.clock() + delay)
  }

  #startAttempts(): void {
    if (!this.#options.holdsLeases()) return
    while (!this.#sleep.stopped && this.#budget.tryStart()) {
      const started = this.#queues.start()
      if (started === null) {
        this.#continueSearch()
        break
      }
      this.#startAttempt(started)
    }
    if (this.#moreIsDue && this.#hasRoom()) this.#sleep.wake()
  }

  /** Makes the attempt, or gives the delivery back until its time. */
  #startAttempt(started: StartedAttempt): void {
    const { queue, queued } = started
    const gathering = this.#gathering.get(queue.watchId)
    if (gathering !== undefined && gathering.length < MAX_TOGETHER) {
      gathering.push(...this.#released([queued]))
      this.#queues.finish(started)
      return
    }
    const [released] = this.#released([queued])
    if (released === undefined) {
      this.#queues.finish(started)
      return
    }
    const { dispatch, leasedUntil } = queued
    const isTogether = goesTogether(dispatch)
    const others = isTogether ? this.#released(this.#queues.takeWaiting(queue, MAX_TOGETHER - 1)) : []
    const all = [queued, ...others]
    const paced = this.#pacing.startAt(firstOf(all).dispatch)
    if (paced !== null) {
      for (const each of all) this.#postponed.postpone(each.dispatch.delivery.id, paced)
      this.#queues.finish(started)
    } else if (this.#options.clock() > leasedUntil - LEASE_MARGIN_MS) {
      for (const each of all) this.#postpone(each.dispatch)
      this.#queues.finish(started)
    } else void (isTogether ? this.#attemptTogether(started, others) : this.#attempt(started))
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

  async #attempt(started: StartedAttempt): Promise<void> {
    const attempt = this.#inFlight.add(started)
    const { dispatch } = attempt.queued
    const dropped = this.#dropped
    let sent: SendResult | null = null
    let isLost = false
    try {
      const { delivery } = dispatch
      const message = this.#messages.freshMessage(delivery) ?? (await this.#messages.readMessage(delivery))
      const { event, document, incident, contentSeq } = message
      if (document === null || this.#options.isAccountDeleted(dispatch.accountId))
        this.#recorder.addResult(cancellationOf(delivery, this.#options.clock()))
      else if (await this.#isAdmitted(dispatch, document)) {
        const { siteListId } = dispatch.endpoint
        const sites =
          siteListId === null
            ? undefined
            : await this.#siteNames.of(dispatch.accountId, siteListId, delivery.kind, incident)
        const now = this.#options.clock()
        const message = preparedDelivery(dispatch, { event, document, sites }, now, this.#options.channels)
        try {
          const senders = { sender: this.#sender, mails: this.#options.mails }
          sent = await postMessage(senders, dispatch.endpoint.channel, message, dispatch.accountId, now)
          this.#recordResult(dispatch, event, contentSeq, sent)
        } catch (error) {
          isLost = error instanceof SenderLost && !attempt.queued.wasLost
          if (error instanceof MailServerDown) this.#waitForMailServer([delivery])
          else if (!isLost) this.#recordResult(dispatch, event, contentSeq, resultOfLoss(error, { sentAt: now }))
        }
      }
    } catch (error) {
      // A read error or a bug. The delivery is sent again once its lease expires.
      this.#options.onError(error)
    }
    this.#finish(attempt, sent)
    if (isLost && dropped === this.#dropped) this.#sendAgain(attempt.queued)
    this.#startAttempts()
  }

  /** False if the message of an alert must wait for the next hour, or says nothing any more. */
  async #isAdmitted({ accountId, delivery }: Dispatch, document: string): Promise<boolean> {
    if (accountId !== ALERTS_ACCOUNT_ID) return true
    const admission = await this.#alerts.admit(delivery.kind, document)
    if (admission === 'outdated') this.#recorder.addResult(cancellationOf(delivery, this.#options.clock()))
    else if (admission !== 'now') this.#postponed.postpone(delivery.id, admission)
    return admission === 'now'
  }

  /** No attempt was made: the receiver had no part in it. */
  #waitForMailServer(deliveries: readonly Delivery[]): void {
    const { clock, random } = this.#options
    const until = clock() + Math.round(MAIL_SERVER_WAIT_MS * (1 + random()))
    for (const { id } of deliveries) this.#postponed.postpone(id, until)
  }

  /**
   * Sends one message for all deliveries of the watch that are due. Each is recorded with the result:
   * after a crash before that, it is due again, and told again in the next message.
   */
  async #attemptTogether(started: StartedAttempt, others: readonly QueuedDelivery[]): Promise<void> {
    const attempt = this.#inFlight.add(started)
    const dropped = this.#dropped
    let lost: readonly QueuedDelivery[] = []
    let sent: SendResult | null = null
    try {
      const gathered = await this.#gather(started, others)
      const { dispatch } = started.queued
      const parts = await Promise.all(gathered.map((queued) => this.#partOf(queued)))
      const { told, covered, cancelled } = this.#options.isAccountDeleted(dispatch.accountId)
        ? { told: [], covered: [], cancelled: parts }
        : combineMessages(parts)
      for (const { delivery } of cancelled) this.#recorder.addResult(cancellationOf(delivery, this.#options.clock()))
      const [first, ...further] = await Promise.all(told.map((part) => this.#contentOf(part)))
      if (first !== undefined) {
        const now = this.#options.clock()
        const message = preparedDelivery(
          { ...dispatch, delivery: first.delivery },
          { ...first, further },
          now,
          this.#options.channels,
        )
        // The same for all, so that a retry finds them together again.
        const chance = this.#options.random()
        const record = (result: SendResult) => {
          for (const { queued, event, contentSeq } of [...told, ...covered])
            this.#recordResult(queued.dispatch, event, contentSeq, result, () => chance)
        }
        try {
          const senders = { sender: this.#sender, mails: this.#options.mails }
          sent = await postMessage(senders, dispatch.endpoint.channel, message, dispatch.accountId, now)
          record(sent)
        } catch (error) {
          const all = [...told, ...covered]
          if (error instanceof MailServerDown) this.#waitForMailServer(all.map(({ delivery }) => delivery))
          else if (error instanceof SenderLost && !gathered.some(({ wasLost }) => wasLost))
            lost = all.map(({ queued }) => queued)
          else record(resultOfLoss(error, { sentAt: now }))
        }
      }
    } catch (error) {
      // A read error or a bug. The deliveries are sent again once their leases expire.
      this.#options.onError(error)
    }
    this.#finish(attempt, sent)
    if (dropped === this.#dropped) for (const queued of lost) this.#sendAgain(queued)
    this.#startAttempts()
  }

  /** Leases what else is due for the watch; what is started meanwhile joins. */
  async #gather({ queue, queued }: StartedAttempt, others: readonly QueuedDelivery[]): Promise<QueuedDelivery[]> {
    const { watchId } = queue
    const gathered = [queued, ...others]
    this.#gathering.set(watchId, gathered)
    try {
      const now = this.#options.clock()
      const leasedUntil = now + LEASE_MS
      const room = MAX_TOGETHER - gathered.length
      if (room > 0 && this.#options.holdsLeases()) {
        const { deliveries } = this.#store
        const leased = await deliveries.leaseOfWatch(this.#options.owner, watchId, now, leasedUntil, room)
        gathered.push(...this.#released(leased.map((dispatch) => ({ dispatch, leasedUntil }))))
      }
    } finally {
      this.#gathering.delete(watchId)
    }
    return gathered
  }

  async #partOf(queued: QueuedDelivery) {
    const { delivery } = queued.dispatch
    const message = this.#messages.freshMessage(delivery) ?? (await this.#messages.readMessage(delivery))
    return { ...message, queued, delivery, incidentId: message.event.incidentId }
  }

  async #contentOf({ queued, delivery, event, document }: GatheredPart) {
    const { accountId, endpoint } = queued.dispatch
    const { siteListId } = endpoint
    // What is told has a document.
    const text = document!
    const sites = siteListId === null ? undefined : await this.#siteNames.of(accountId, siteListId, delivery.kind, text)
    return { delivery, kind: delivery.kind, event, document: text, sites }
  }

  /**
   * Queues a delivery again whose attempt was lost with the sender: its lease still holds. A second
   * loss counts as an attempt, so that a message which ends the sender is not sent for ever.
   */
  #sendAgain(queued: QueuedDelivery): void {
    if (!this.#sleep.stopped) this.#queues.enqueue({ ...queued, wasLost: true })
  }

  #finish(attempt: InFlightAttempt, sent: SendResult | null): void {
    const late = this.#inFlight.end(attempt)
    const { queue } = attempt
    if (sent !== null) {
      const observed = observationOf(sent, late)
      this.#setResponse(queue, recordAfter(queue.response, observed, performance.now()))
      // Another process may have postponed more of this watch, which answers.
      const { postponed, endpoint } = attempt.queued.dispatch
      // But not of a channel that is paced: each of its messages has its time.
      if (postponed && observed === 'prompt' && !isMessenger(endpoint.channel)) this.#postponed.hasten(queue.watchId)
    }
    this.#queues.finish(attempt)
  }

  #setResponse(queue: WatchQueue, response: ResponseRecord): void {
    const { watchId } = queue
    // Deliveries that were postponed while the watch was in trouble, by a process before this one
    // too, can be sent.
    const recovered = response === PROMPT && queue.response !== PROMPT
    for (const { dispatch } of this.#queues.setResponse(queue, response)) this.#postpone(dispatch)
    if (recovered) this.#postponed.hasten(watchId)
  }

  #recordResult(
    { delivery, endpoint }: Dispatch,
    event: LogEvent,
    contentSeq: number | null,
    sent: SendResult,
    random = this.#options.random,
  ): void {
    const now = this.#options.clock()
    const verdict = verdictOn(sent, delivery.tries + 1, now, random)
    const result = attemptResultOf(delivery, endpoint.url, contentSeq, sent, verdict)
    this.#recorder.addResult(result)
    if (verdict.outcome === 'retry' && isMessenger(endpoint.channel) && sent.kind === 'answered' && sent.status === 429)
      this.#pacing.pause(delivery.watchId, verdict.at)
    this.#options.onAttempt(result, verdict.outcome === 'delivered' ? now - event.at : null, endpoint.channel)
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

function observationOf({ kind }: SendResult, late: boolean): Observation {
  if (kind === 'failed') return 'none'
  return late ? 'late' : 'prompt'
}
