import { type Delivery, mayHaveArrived, type SendResult } from '../domain/delivery.ts'
import { combineMessages } from '../domain/message-content.ts'
import { verdictOn } from '../domain/retry.ts'
import { mergedSites, type NamedSites } from '../domain/sites.ts'
import { type ChannelKind, isMessenger } from '../domain/watch.ts'
import { BoundedCache } from '../lib/bounded-cache.ts'
import { EventLoopBudget, WakeableSleep } from '../lib/concurrency.ts'
import type { Runtime, Timer } from '../lib/runtime.ts'
import type { AttemptResult, Dispatch, FailingWatch, LogEvent, Store } from '../store/store.ts'
import {
  inFlightLimits,
  MAX_WAITING,
  PROMPT,
  type ResponseRecord,
  recordAfter,
  recordWhileWaiting,
} from './admission.ts'
import { AlertCap, admitAlert, isOutdated } from './alerts/alert-cap.ts'
import { ALERTS_ACCOUNT_ID } from './alerts/alerts.ts'
import { AttemptRecorder, attemptResultOf, cancellationOf, InFlightAttempts, PostponedDeliveries } from './attempts.ts'
import { ChannelRates } from './channel-rate.ts'
import type { ChannelSettings } from './channels/channel-request.ts'
import {
  heldUntil,
  isCombined,
  isDigest,
  type MessagePart,
  otherWatches,
  unannouncedRetractions,
  withSameRecipient,
} from './combined-deliveries.ts'
import { MessageSource } from './messages.ts'
import { DeliveryQueues, type PlannedDelivery, type QueuedDelivery, type StartedAttempt } from './queues.ts'
import { MailServerDown, resultOfLoss, SenderLost } from './send/failure.ts'
import type { MailSender } from './send/mail-sender.ts'
import {
  type DeliveryContent,
  type MessageContent,
  type MessageSender,
  postMessage,
  preparedDelivery,
  type Senders,
} from './send/message.ts'
import { SiteNames } from './send/site-names.ts'

export interface DispatcherOptions {
  /** The name of this process among all that share the database. */
  readonly owner: string
  readonly clock: () => number
  /** Tells how old what a message says is. */
  readonly agingClock: () => number
  readonly runtime: Runtime
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
  /** True while a newer node is to send: then what waits here is given back. */
  readonly yieldsLeases: () => boolean
  readonly onError: (error: unknown) => void
  /** Called after each attempt; `sinceCommit` is the event's age if it was delivered, else null. */
  readonly onAttempt: (result: AttemptResult, sinceCommit: number | null, channel: ChannelKind) => void
  /** Called with watches whose failures were just recorded. */
  readonly onFailing: (failing: readonly FailingWatch[]) => Promise<void>
}

/** One message, and the deliveries that it is of. */
interface Message {
  readonly dispatch: Dispatch
  readonly content: MessageContent
  readonly parts: readonly MessagePart[]
}

/** All rows of a lease are parsed in one turn of the event loop, and requests wait meanwhile. */
const LEASE_BATCH = 100
const LEASE_MS = 60_000
/** An attempt takes up to 15 s: it is skipped if less than this is left of its lease. */
const LEASE_MARGIN_MS = 20_000
/** A lease that ends later was made before the clock was set back, and ends earlier since. */
export const LONGEST_LEASE_MS = LEASE_MS + LEASE_MARGIN_MS
/** Starting an attempt takes about 10 µs. */
const STARTS_PER_TURN = 16
const SLOW_CHECK_INTERVAL_MS = 50
/** Deliveries in one message. */
const MAX_TOGETHER = 200
/** Messages for people that are remembered as sent: more than a process sends before it records. */
const MAX_SENT_LATELY = 20_000
/** At least; twice as long at most, so that not all that waited fall due together. */
const MAIL_SERVER_WAIT_MS = 20_000
const DRAIN_TIMEOUT_MS = 3000

/**
 * Sends deliveries: those handed to it by the fan-out, and those it leases from the database. The
 * way of one delivery, in the order of the methods below: it is leased and queued by its watch;
 * when its turn has come, an attempt starts; its message is written from what is true now, alone or
 * with others for the same reader; the message is sent, its result recorded, and the next starts.
 */
export class Dispatcher implements AsyncDisposable {
  readonly #store: Store
  readonly #options: DispatcherOptions
  readonly #senders: Senders
  readonly #queues: DeliveryQueues
  readonly #inFlight: InFlightAttempts
  readonly #messages: MessageSource
  readonly #siteNames: SiteNames
  readonly #rates: ChannelRates
  readonly #alertCap: AlertCap
  readonly #postponed: PostponedDeliveries
  readonly #results: AttemptRecorder
  readonly #startBudget = new EventLoopBudget(STARTS_PER_TURN, () => this.#startAttempts())
  /** Deliveries that a message is about to be made of, by watch. */
  readonly #gathering = new Map<string, QueuedDelivery[]>()
  /**
   * Deliveries whose message for people was sent by this process, whatever came of it: until the
   * result is recorded, the store takes them for not attempted.
   */
  readonly #sentLately = new BoundedCache<string, true>(MAX_SENT_LATELY)
  readonly #leaseSleep: WakeableSleep
  readonly #leasing: Promise<void>
  #moreIsDue = false
  #isSearching = false
  #slowCheck: Timer | null = null
  /** Counts how often the leases of this process were taken by others. */
  #dropped = 0
  /** Whether a message was sent whose result will never be known. */
  #hasLostResult = false

  constructor(store: Store, sender: MessageSender, options: DispatcherOptions) {
    const { concurrency, perHost, runtime, mails, alertsPerHour, pollIntervalMs } = options
    this.#inFlight = new InFlightAttempts(runtime)
    this.#store = store
    this.#options = options
    this.#senders = { sender, mails }
    this.#queues = new DeliveryQueues(inFlightLimits(concurrency, perHost), runtime.elapsed)
    this.#messages = new MessageSource(store, runtime)
    this.#siteNames = new SiteNames(store.siteLists)
    this.#rates = new ChannelRates(runtime.elapsed)
    this.#alertCap = new AlertCap(store.mails, alertsPerHour)
    this.#postponed = new PostponedDeliveries(store.deliveries, options)
    this.#results = new AttemptRecorder(store.deliveries, {
      ...options,
      onRecorded: async (_, failing) => {
        this.#startAttempts()
        if (failing.length > 0) await options.onFailing(failing)
      },
    })
    this.#leaseSleep = new WakeableSleep(pollIntervalMs, runtime)
    const stopListening = store.deliveries.onDue(() => this.#leaseSleep.wake())
    this.#leasing = this.#leaseDue().finally(stopListening)
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

  /** Whether a message was sent whose result is not recorded. */
  get hasUnrecorded(): boolean {
    return this.#inFlight.size > 0 || this.#results.pending > 0 || this.#hasLostResult
  }

  /** Decides which of the deliveries this process leases; the others stay in the database. */
  plan(deliveries: readonly PlannedDelivery['delivery'][]): PlannedDelivery[] {
    if (this.#leaseSleep.stopped) return deliveries.map((delivery) => ({ delivery, admission: 'busy' }))
    return this.#queues.plan(deliveries, MAX_WAITING - this.#results.pending)
  }

  /** The due time of a delivery that the plan postpones. */
  postponedUntil({ watchId, accountId }: PlannedDelivery['delivery']): number {
    return this.#options.clock() + this.#queues.postponement({ watchId, accountId, failing: false })
  }

  /** Sends deliveries leased to this process; `readAt` as in `MessageSource.addEvents`. */
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
    this.#leaseSleep.stop()
    this.#queues.clear()
    await this.#leasing
    await this.#inFlight.drain(DRAIN_TIMEOUT_MS)
    if (this.#inFlight.size > 0) this.#hasLostResult = true
    this.#stopSlowChecks()
    await this.#results[Symbol.asyncDispose]()
    await this.#postponed[Symbol.asyncDispose]()
  }

  /** Leases due deliveries as long as there is room for them in memory. */
  async #leaseDue(): Promise<void> {
    const sleep = this.#leaseSleep
    while (!sleep.stopped) {
      try {
        sleep.clearWake()
        this.#moreIsDue = await this.#leaseBatch()
      } catch (error) {
        this.#options.onError(error)
        this.#messages.forget()
        // Trying again at once would repeat the error: sleep first.
        this.#moreIsDue = false
      }
      if (!this.#moreIsDue || !this.#hasRoomToLease()) await sleep.wait()
    }
  }

  /** After a crash, messages whose results are not recorded yet are sent again: few may be. */
  #hasRoomToLease(): boolean {
    return this.#queues.waiting <= MAX_WAITING - LEASE_BATCH && this.#results.pending <= MAX_WAITING
  }

  /** Returns whether more deliveries are due. */
  async #leaseBatch(): Promise<boolean> {
    const { owner, clock, holdsLeases } = this.#options
    if (!this.#hasRoomToLease()) return true
    if (!holdsLeases()) return false
    const now = clock()
    const leasedUntil = now + LEASE_MS
    const full = this.#queues.excludeFull()
    const { dispatches, more } = await this.#store.deliveries.lease(owner, now, leasedUntil, LEASE_BATCH, full)
    for (const dispatch of dispatches) {
      const { accountId, failing, delivery } = dispatch
      const admission = this.#queues.admission({ watchId: delivery.watchId, accountId, failing })
      // One batch more than the share: the next lease excludes a full account or watch.
      if (admission === 'postpone') this.#postpone(dispatch)
      else this.#queues.enqueue({ dispatch, leasedUntil })
    }
    this.#startAttempts()
    return more
  }

  /** Gives a delivery back until there is a turn for its watch. */
  #postpone({ delivery, accountId, failing }: Dispatch): void {
    const delay = this.#queues.postponement({ watchId: delivery.watchId, accountId, failing })
    this.#giveBack(delivery, this.#options.clock() + delay)
  }

  /** Gives a delivery back until that time. */
  #giveBack({ id }: Delivery, dueAt: number): void {
    this.#postponed.postpone({ deliveryId: id, dueAt, maybeAttempted: this.#sentLately.get(id) ?? false })
  }

  /**
   * Starts attempts for queued deliveries, as long as there is room for them. To be called whenever
   * deliveries were queued, or room for them was made.
   */
  #startAttempts(): void {
    const { holdsLeases, yieldsLeases, clock } = this.#options
    if (yieldsLeases()) for (const { dispatch } of this.#queues.clear()) this.#giveBack(dispatch.delivery, clock())
    if (!holdsLeases()) return
    while (!this.#leaseSleep.stopped && this.#startBudget.tryStart()) {
      const started = this.#queues.start()
      if (started === null) {
        this.#continueSearch()
        break
      }
      this.#startAttempt(started)
    }
    if (this.#queues.takeRefill() || (this.#moreIsDue && this.#hasRoomToLease())) this.#leaseSleep.wake()
  }

  /** Looks at further watches in the next turn: thousands may wait without room. */
  #continueSearch(): void {
    if (this.#isSearching || !this.#queues.unfinished) return
    this.#isSearching = true
    setImmediate(() => {
      this.#isSearching = false
      this.#startAttempts()
    })
  }

  /** Makes the attempt, or gives its deliveries back until their time. */
  #startAttempt(attempt: StartedAttempt): void {
    const { queue, queued } = attempt
    const { clock } = this.#options
    if (this.#joinsMessage(queued) || this.#isHeld(queued)) {
      this.#queues.finish(attempt)
      return
    }
    const together = [queued]
    if (isDigest(queued.dispatch)) together.push(...this.#released(this.#queues.takeWaiting(queue, MAX_TOGETHER - 1)))
    const delay = this.#rates.delayOf(firstOf(together).dispatch)
    const left = queued.leasedUntil - clock()
    if (delay === 0 && left >= LEASE_MARGIN_MS && left <= LONGEST_LEASE_MS) {
      void this.#makeAttempt(attempt, together)
      return
    }
    for (const { dispatch } of together)
      if (delay === 0) this.#postpone(dispatch)
      else this.#giveBack(dispatch.delivery, clock() + delay)
    this.#queues.finish(attempt)
  }

  /** Adds a delivery to the message that is about to be made for its watch, if there is one. */
  #joinsMessage(queued: QueuedDelivery): boolean {
    const gathering = this.#gathering.get(queued.dispatch.delivery.watchId)
    if (gathering === undefined || gathering.length >= MAX_TOGETHER) return false
    if (!this.#isHeld(queued)) gathering.push(queued)
    return true
  }

  /** Whether its watch's schedule, changed since maybe, holds the delivery; gives it back. */
  #isHeld({ dispatch }: QueuedDelivery): boolean {
    if (dispatch.endpoint.schedule === null) return false
    const until = heldUntil(dispatch, this.#options.clock())
    if (until !== null) this.#giveBack(dispatch.delivery, until)
    return until !== null
  }

  #released(queued: readonly QueuedDelivery[]): QueuedDelivery[] {
    return queued.filter((each) => !this.#isHeld(each))
  }

  /** Follows one attempt to its end: writes and sends its message, and makes room for the next. */
  async #makeAttempt(attempt: StartedAttempt, together: QueuedDelivery[]): Promise<void> {
    this.#inFlight.add(attempt)
    this.#slowCheck ??= this.#options.runtime.setInterval(() => this.#suspendSlow(), SLOW_CHECK_INTERVAL_MS)
    const dropped = this.#dropped
    let sent: SendResult | 'lost' | null = null
    let parts: readonly MessagePart[] = []
    try {
      const { queued } = attempt
      const message = await (isCombined(queued.dispatch) ? this.#combine(together) : this.#write(queued))
      if (message !== null) {
        parts = message.parts
        sent = await this.#send(message)
      }
    } catch (error) {
      // A read error or a bug. The deliveries are sent again once their leases expire.
      this.#options.onError(error)
    }
    const late = this.#inFlight.end(attempt)
    if (!this.#inFlight.needsChecks) this.#stopSlowChecks()
    if (sent !== null && sent !== 'lost') this.#noteAnswer(attempt, sent, late)
    this.#queues.finish(attempt)
    if (sent === 'lost') this.#hasLostResult = true
    // Their leases still hold, unless others have taken them since. A second loss counts as an
    // attempt, so that a message which ends the sender is not sent for ever.
    if (sent === 'lost' && dropped === this.#dropped && !this.#leaseSleep.stopped)
      for (const { queued } of parts) this.#queues.enqueue({ ...queued, wasLost: true })
    this.#startAttempts()
  }

  /** Writes the message of one delivery; null if it is not sent now. */
  async #write(queued: QueuedDelivery): Promise<Message | null> {
    const { dispatch } = queued
    const part = await this.#read(queued)
    if (part.document === null || this.#options.isAccountDeleted(dispatch.accountId)) this.#cancel([part])
    else if (await this.#isAdmitted([part])) return { dispatch, content: await this.#contentOf(part), parts: [part] }
    return null
  }

  /**
   * Writes one message for several deliveries: all of a watch that are due, or all of an event for
   * one person. Each is recorded with the result: after a crash before that, it is due again, and
   * told again in the next message.
   */
  async #combine(together: QueuedDelivery[]): Promise<Message | null> {
    const { clock, isAccountDeleted } = this.#options
    const gathered = await this.#gather(together)
    const read = await Promise.all(gathered.map((queued) => this.#read(queued)))
    const mayBeKnown = (delivery: Delivery) => mayHaveArrived(delivery) || this.#sentLately.get(delivery.id) === true
    const unannounced = await unannouncedRetractions(read, this.#store, clock(), mayBeKnown)
    const parts = read.map((part) => {
      const { delivery } = part.queued.dispatch
      const isFirst = unannounced.has(part)
      return { ...part, delivery, incidentId: part.event.incidentId, isFirst, mayHaveArrived: mayBeKnown(delivery) }
    })
    const { told, covered, cancelled } = isAccountDeleted(together[0]!.dispatch.accountId)
      ? { told: [], covered: [], cancelled: parts }
      : combineMessages(parts)
    this.#cancel(cancelled)
    const all = [...told, ...covered]
    if (told.length === 0 || !(await this.#isAdmitted(all))) return null
    const [first, ...further] = await Promise.all(told.map((part) => this.#contentOf(part, covered)))
    const { dispatch } = told[0]!.queued
    return { dispatch, content: { ...first!, further, others: otherWatches(dispatch, all) }, parts: all }
  }

  /** Adds the watch's other deliveries that are due, and those of other watches of the reader. */
  async #gather(together: QueuedDelivery[]): Promise<readonly QueuedDelivery[]> {
    const { owner, clock } = this.#options
    const { dispatch } = together[0]!
    if (isDigest(dispatch)) await this.#gatherDue(together)
    if (!dispatch.endpoint.sharesReceiver) return together
    return this.#released(await withSameRecipient(together, this.#store.deliveries, owner, clock, LEASE_MS))
  }

  /** Leases what else is due for the watch; what is started meanwhile joins. */
  async #gatherDue(together: QueuedDelivery[]): Promise<void> {
    const { owner, clock, holdsLeases } = this.#options
    const { watchId } = together[0]!.dispatch.delivery
    const room = MAX_TOGETHER - together.length
    if (room <= 0 || !holdsLeases()) return
    this.#gathering.set(watchId, together)
    try {
      const now = clock()
      const leasedUntil = now + LEASE_MS
      const leased = await this.#store.deliveries.leaseOfWatch(owner, watchId, now, leasedUntil, room)
      together.push(...this.#released(leased.map((dispatch) => ({ dispatch, leasedUntil }))))
    } finally {
      this.#gathering.delete(watchId)
    }
  }

  async #read(queued: QueuedDelivery): Promise<MessagePart> {
    const { delivery } = queued.dispatch
    const message = this.#messages.freshMessage(delivery) ?? (await this.#messages.readMessage(delivery))
    return { ...message, queued }
  }

  /**
   * False if the message of an alert without an account must wait for the next hour, or says
   * nothing any more. Alerts have no schedule, so all parts are of one event: it is one message.
   */
  async #isAdmitted(parts: readonly MessagePart[]): Promise<boolean> {
    const { queued, document } = parts[0]!
    if (queued.dispatch.accountId !== ALERTS_ACCOUNT_ID) return true
    const { clock, agingClock, random } = this.#options
    const { kind } = queued.dispatch.delivery
    const admission = isOutdated(document!, kind, agingClock())
      ? 'outdated'
      : await admitAlert(this.#alertCap, document!, clock(), random)
    if (admission === 'outdated') this.#cancel(parts)
    else if (admission !== 'now') this.#postponeAll(parts, admission)
    return admission === 'now'
  }

  /** Of a part with a document. Names the sites of `others` of the same incident too. */
  async #contentOf(part: MessagePart, others: readonly MessagePart[] = []): Promise<DeliveryContent> {
    const { queued, event, document } = part
    const { kind } = queued.dispatch.delivery
    // Almost all: a webhook without sites.
    if (others.length === 0 && queued.dispatch.endpoint.siteListId === null)
      return { kind, event, document: document!, sites: undefined }
    const parts = [part, ...others.filter((other) => other.event.incidentId === event.incidentId)]
    const lists = new Map(parts.map((each) => [each.queued.dispatch.endpoint.siteListId, each]))
    const found: (NamedSites | undefined)[] = []
    for (const [listId, { queued, incident }] of lists)
      if (listId !== null) found.push(await this.#siteNames.of(queued.dispatch.accountId, listId, kind, incident))
    return { kind, event, document: document!, sites: mergedSites(found) }
  }

  /** Returns the answer; `lost` if the sender ended; null if nothing is known of an answer. */
  async #send({ dispatch, content, parts }: Message): Promise<SendResult | 'lost' | null> {
    const { channels, clock, random } = this.#options
    const { endpoint, accountId } = dispatch
    const now = clock()
    const message = preparedDelivery(dispatch, content, now, channels)
    if (isMessenger(endpoint.channel))
      for (const { queued } of parts) this.#sentLately.set(queued.dispatch.delivery.id, true)
    try {
      const sent = await postMessage(this.#senders, endpoint.channel, message, accountId, now)
      this.#record(parts, sent)
      return sent
    } catch (error) {
      if (error instanceof SenderLost && !parts.some(({ queued }) => queued.wasLost)) return 'lost'
      // It counts as no attempt: the receiver had no part in it.
      if (error instanceof MailServerDown) {
        if (!error.wasAsked) for (const { queued } of parts) this.#sentLately.delete(queued.dispatch.delivery.id)
        this.#postponeAll(parts, clock() + Math.round(MAIL_SERVER_WAIT_MS * (1 + random())))
      } else this.#record(parts, resultOfLoss(error, now))
      return null
    }
  }

  /** Records the result of one message for each delivery that it was of. */
  #record(parts: readonly MessagePart[], sent: SendResult): void {
    const { clock, random, onAttempt } = this.#options
    // The same for all, so that a retry finds them together again.
    const chance = random()
    for (const { queued, event, contentSeq } of parts) {
      const { delivery, endpoint } = queued.dispatch
      const now = clock()
      const verdict = verdictOn(sent, delivery.tries + 1, now, () => chance)
      const result = attemptResultOf(delivery, endpoint.url, contentSeq, sent, verdict)
      this.#results.addResult(result)
      const isLimited = sent.kind === 'answered' && sent.status === 429 && isMessenger(endpoint.channel)
      if (verdict.outcome === 'retry' && isLimited) this.#rates.pause(delivery.watchId, verdict.at - now)
      onAttempt(result, verdict.outcome === 'delivered' ? now - event.at : null, endpoint.channel)
    }
  }

  /** Ends deliveries without an attempt: what they would say is no longer true. */
  #cancel(parts: readonly MessagePart[]): void {
    const now = this.#options.clock()
    for (const { queued } of parts) this.#results.addResult(cancellationOf(queued.dispatch.delivery, now))
  }

  #postponeAll(parts: readonly MessagePart[], until: number): void {
    for (const { queued } of parts) this.#giveBack(queued.dispatch.delivery, until)
  }

  /** Notes how promptly the endpoint answered, and makes due what waited until it does. */
  #noteAnswer({ queue, queued }: StartedAttempt, { kind }: SendResult, late: boolean): void {
    const observed = kind === 'failed' ? 'none' : late ? 'late' : 'prompt'
    this.#setResponse(queue, recordAfter(queue.response, observed, this.#options.runtime.elapsed()))
    // Another process may have postponed more of this watch, which answers. But not of a channel
    // with a rate: each of its messages has its time.
    const { postponed, endpoint } = queued.dispatch
    if (postponed && observed === 'prompt' && !isMessenger(endpoint.channel)) this.#postponed.makeDueNow(queue.watchId)
  }

  #setResponse(queue: StartedAttempt['queue'], response: ResponseRecord): void {
    // Deliveries that were postponed while the watch was in trouble, by a process before this one
    // too, can be sent.
    const recovered = response === PROMPT && queue.response !== PROMPT
    for (const { dispatch } of this.#queues.setResponse(queue, response)) this.#postpone(dispatch)
    if (recovered) this.#postponed.makeDueNow(queue.watchId)
  }

  /** Attempts that take long make room for others, and their watches count as slow meanwhile. */
  #suspendSlow(): void {
    const freed = this.#inFlight.suspendSlow(this.#queues, ({ queue }) =>
      this.#setResponse(queue, recordWhileWaiting(queue.response)),
    )
    if (!this.#inFlight.needsChecks) this.#stopSlowChecks()
    if (freed) this.#startAttempts()
  }

  #stopSlowChecks(): void {
    this.#options.runtime.clear(this.#slowCheck)
    this.#slowCheck = null
  }
}

/** The one whose time the channel keeps, however often they are given back. */
function firstOf(queued: readonly QueuedDelivery[]): QueuedDelivery {
  return queued.reduce((first, each) =>
    each.dispatch.delivery.sequence < first.dispatch.delivery.sequence ? each : first,
  )
}
