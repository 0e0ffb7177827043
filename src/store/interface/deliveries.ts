import type { Attempt, AttemptOutcome, Delivery, DeliveryStatus } from '../../domain/delivery.ts'
import type { WatchSchedule } from '../../domain/schedule.ts'
import type { Severity } from '../../domain/taxonomy.ts'
import type { ChannelKind, WatchEvent, WatchSecret } from '../../domain/watch.ts'
import type { WatchHeader } from '../../domain/watch-headers.ts'
import type { FailureHistory } from '../../domain/watch-health.ts'
import type { SchemaState } from './maintenance.ts'

/** One event for one watch. */
export interface NewDelivery {
  readonly id: string
  readonly watchId: string
  readonly eventSeq: number
  readonly kind: WatchEvent
  readonly critical: boolean
  /** Given if the watch has a schedule. */
  readonly severity?: Severity
  /** Not leased to the fan-out's process: it falls due then, for any process. */
  readonly dueAt?: number
}

/** A delivery leased to the caller, with the endpoint to send it to. */
export interface Dispatch {
  readonly delivery: Delivery
  readonly endpoint: Endpoint
  readonly accountId: string
  /** True if the watch's last attempts failed. */
  readonly failing: boolean
  /** True if some process gave it back without an attempt, because the watch was in trouble. */
  readonly postponed: boolean
}

/** Accounts and watches of which a process has enough deliveries waiting in memory. */
export interface FullQueues {
  readonly accountIds: readonly string[]
  readonly watchIds: readonly string[]
}

export interface PostponedDelivery {
  readonly deliveryId: string
  readonly dueAt: number
  /** True if its message was sent, and nobody knows whether it arrived. */
  readonly maybeAttempted: boolean
}

/** The watch's current endpoint; it may have changed since the delivery was written. */
export interface Endpoint {
  readonly channel: ChannelKind
  readonly url: string
  readonly secrets: readonly WatchSecret[]
  readonly headers: readonly WatchHeader[]
  /** Null if messages go out at once. */
  readonly schedule: WatchSchedule | null
  /** The list of sites that the watch's filter names: messages say which are concerned. */
  readonly siteListId: string | null
  /**
   * Whether messages of another watch may reach the same person: see
   * `Deliveries.findSameRecipient`.
   */
  readonly sharesReceiver: boolean
}

/** A delivery as a process holds it. */
export interface HeldDelivery {
  readonly id: string
  readonly eventSeq: number
  readonly leasedUntil: number
}

/** A watch whose messages may reach the same person as those of another. */
export interface SameRecipientWatch {
  readonly watchId: string
  readonly secrets: readonly WatchSecret[]
}

export interface SameRecipientLease {
  readonly dispatches: readonly Dispatch[]
  /** Their lease; none of them had this one before. */
  readonly leasedUntil: number
}

export interface LeaseResult {
  readonly dispatches: readonly Dispatch[]
  /** True if more may be due: lease again at once, even if fewer than `limit` were returned. */
  readonly more: boolean
}

export interface AttemptResult extends Omit<Attempt, 'number' | 'outcome'> {
  readonly deliveryId: string
  /** The watch of the delivery. */
  readonly watchId: string
  /** The URL that it was sent to; the watch may have another by now. */
  readonly url: string
  /** `cancelled`: no attempt was made, and none will be. */
  readonly outcome: AttemptOutcome | 'cancelled'
  /** Null after success, or after the last attempt. */
  readonly retryAt: number | null
  /** True if the endpoint is gone for good; 410 always says so. */
  readonly gone?: boolean
}

/** A watch whose current URL has just failed. */
export interface FailingWatch {
  readonly watchId: string
  readonly accountId: string
  readonly url: string
  readonly history: FailureHistory
  /** Whether it is gone for good. */
  readonly gone: boolean
  /** Warnings that its owner has been sent since it began to fail. */
  readonly warnings: number
}

export interface MadeDue {
  readonly due: number
  /** The last event read; null if there are no later ones. */
  readonly lastSeq: number | null
}

export interface TestDelivery {
  readonly id: string
  readonly watchId: string
  /** The last event in the log. */
  readonly eventSeq: number
  readonly kind: WatchEvent
  /** The incident that the message shows. */
  readonly incidentId: string
  readonly attempt: Omit<Attempt, 'number'>
}

export interface QueueDepth {
  /** Without a lease, due now or later; those of paused watches are not counted. */
  readonly waiting: number
  readonly leased: number
  /** Earliest due time of waiting deliveries. */
  readonly oldestDueAt: number | null
}

export interface Deliveries {
  /**
   * Leases due deliveries until `until`: critical ones first. Among those that are due longest,
   * accounts have turns, and so have the watches of an account; if there are more than a call
   * reads, half of the limit is filled watch by watch, in rotation, so that a long queue delays no
   * other watch. Skips the accounts and watches in `except`. No two callers hold a valid lease on
   * the same delivery; an expired one is due again, and may have been attempted. Deliveries that
   * fall due while their watch is paused or disabled stay pending, parked until it is resumed.
   */
  lease(owner: string, now: number, until: number, limit: number, except: FullQueues): Promise<LeaseResult>
  /**
   * Leases due deliveries of one watch until `until`, earliest event first, so that they go out
   * together.
   */
  leaseOfWatch(owner: string, watchId: string, now: number, until: number, limit: number): Promise<Dispatch[]>
  /**
   * Returns active watches of the same channel whose receiver is the same as this watch's, itself
   * among them: the same address in the same account, or the same hash of an alert without an
   * account. If there are more than `most`, they are split into parts by id, and this watch's part
   * is returned.
   */
  findSameRecipient(watchId: string, most: number): Promise<SameRecipientWatch[]>
  /**
   * Leases what goes out in one message: the held deliveries, and the pending ones of the same
   * events for any of `watchIds`, which are active; of schedules only what is due. Takes them from
   * the queues of other attempts too, also in other processes: these no longer hold them under the
   * lease they know, and get nothing. So each delivery is in one message only. What another process
   * held may have been attempted. Earliest event first.
   */
  leaseForSameRecipient(
    owner: string,
    held: readonly HeldDelivery[],
    watchIds: readonly string[],
    now: number,
    until: number,
  ): Promise<SameRecipientLease>
  /** Returns which of the watches told of one of the events, or are about to. */
  findNotifiedWatches(eventSeqs: readonly number[], watchIds: readonly string[]): Promise<string[]>
  /** Gives back deliveries that the owner still holds, to fall due later; counts no attempt. */
  postpone(owner: string, deliveries: readonly PostponedDelivery[]): Promise<void>
  /**
   * Makes deliveries of a watch due that were never tried or were postponed since their last
   * attempt, up to `limit`; but none of a schedule, which would only be held again. Returns how
   * many.
   */
  makeDueNow(watchId: string, now: number, limit: number): Promise<number>
  /**
   * Stores every attempt and updates the deliveries that the owner still holds: delivered, due
   * again or failed. A success after the lease was lost counts too, because the endpoint has the
   * message. Keeps the first 1,024 characters of an endpoint's answer, with characters that a store
   * cannot hold replaced. A `cancelled` result ends the delivery without an attempt. Returns the
   * watches with a failure after their last success; an attempt at a URL that the watch no longer
   * has says nothing about it, whether it failed or succeeded.
   */
  recordAttempts(owner: string, results: readonly AttemptResult[], now: number): Promise<FailingWatch[]>
  /** Writes deliveries that are due at once, by the rules of `fanOut.write`. Returns how many. */
  add(deliveries: readonly NewDelivery[], now: number): Promise<number>
  /** Logs a test message that has been sent: a finished delivery with one attempt. */
  addTest(test: TestDelivery, now: number): Promise<void>
  /** Returns deliveries of the account's watches, latest event first. */
  list(accountId: string, query: DeliveryQuery): Promise<LoggedDelivery[]>
  find(accountId: string, id: string): Promise<DeliveryDetails | null>
  /**
   * Makes a delivery due at once with a new set of tries; keeps its attempts, and a current lease,
   * so that it is not sent twice at once. Returns null if there is no such delivery, or if it was a
   * test message.
   */
  redeliver(accountId: string, id: string, now: number): Promise<Delivery | null>
  /** As `redeliver`, for those of the deliveries that the account has. Returns how many. */
  redeliverMany(accountId: string, ids: readonly string[], now: number): Promise<number>
  /**
   * Makes pending deliveries of the watch due at once that would be due after `dueAfter`, parked
   * ones included: reads up to `limit`, of events after `afterSeq`, in order; leaves leased ones.
   */
  makeDue(
    accountId: string,
    watchId: string,
    afterSeq: number,
    dueAfter: number,
    now: number,
    limit: number,
  ): Promise<MadeDue>
  /** Counts a watch's pending deliveries, leased or not, created at `since` or later. */
  countPending(accountId: string, watchId: string, since: number): Promise<number>
  /**
   * Redelivers a watch's failures created at `since` or later, up to `limit`, but no test messages.
   * Returns how many.
   */
  recover(accountId: string, watchId: string, since: number, now: number, limit: number): Promise<number>
  /**
   * Corrects due times after the clock was set back by `by` milliseconds to `now`: waiting
   * deliveries fall due that much earlier, but not before `now`, and none was made later. Leases
   * end at `leasedUntil` at the latest.
   */
  reschedule(by: number, now: number, leasedUntil: number): Promise<void>
  /** Counts each number up to `max`, so that a long queue costs no more. */
  queueDepth(max: number): Promise<QueueDepth>
  /**
   * Milliseconds from commit to delivery, for events committed at `since` or later whose first
   * attempt succeeded; without test messages. Looks only at the `limit` deliveries that were
   * finished last.
   */
  recentLatencies(since: number, limit: number): Promise<number[]>
  /**
   * Deletes deliveries finished before `before` and those of removed watches, with their attempts,
   * up to `limit` per call. Returns how many; 0 when none are left.
   */
  deleteExpired(before: number, limit: number): Promise<number>
  /** Calls `listener` when any process makes deliveries due; unreliable, as `EventLog.onAppend`. */
  onDue(listener: () => void): () => void
}

/** A place in the log of deliveries: everything after it has a lower event, or id. */
export interface DeliveryPosition {
  readonly eventSeq: number
  readonly id: string
}

/** In milliseconds; `to` is not included. */
export interface SentBetween {
  readonly from: number
  readonly to: number
}

export const AT_ANY_TIME: SentBetween = { from: 0, to: Number.MAX_SAFE_INTEGER }

export interface DeliveryQuery {
  /** At most `MAX_WATCHES_PER_QUERY`; those of other accounts are ignored. */
  readonly watchIds: readonly string[]
  readonly status: DeliveryStatus | null
  readonly kind: WatchEvent | null
  /** Only deliveries of these events, without test messages; null for all. */
  readonly eventSeqs: readonly number[] | null
  /** Only deliveries of events after this one; test messages count by `tests` instead. */
  readonly afterSeq: number
  /** Only test messages sent in this time. Those of an empty log belong to no event. */
  readonly tests: SentBetween
  /** Only deliveries after this place; null for the newest. */
  readonly before: DeliveryPosition | null
  readonly limit: number
}

/** Each watch is read by itself, as far as one page needs, and the results are merged. */
export const MAX_WATCHES_PER_QUERY = 1_000

export interface LoggedDelivery {
  readonly delivery: Delivery
  /** Null for a test message of which it was not stored. */
  readonly incidentId: string | null
  /** Without the endpoint's answer; null before the first. */
  readonly lastAttempt: Omit<Attempt, 'answer' | 'error' | 'contentSeq'> | null
}

export interface DeliveryDetails {
  readonly delivery: Delivery
  readonly incidentId: string | null
  /** The newest `MAX_LISTED_ATTEMPTS`, in order. */
  readonly attempts: readonly Attempt[]
}

/** A delivery has twelve attempts, and as many more with each redelivery. */
export const MAX_LISTED_ATTEMPTS = 100

/** The position up to which deliveries are written. */
export interface FanOutPosition {
  /** All events up to this one are done … */
  readonly seq: number
  /** … and of the next event, the watches up to this id, in id order; null if none. */
  readonly afterWatchId: string | null
}

export interface FanOutChunk {
  readonly from: FanOutPosition
  readonly to: FanOutPosition
  readonly deliveries: readonly NewDelivery[]
}

/** Turns events into deliveries, in one process at a time over all nodes. */
export interface FanOut {
  /** Acquires or extends the lease and returns the position; null if another owner's is valid. */
  lease(owner: string, now: number, until: number): Promise<FanOutPosition | null>
  /** Ends the lease early, so that the next process need not wait. */
  release(owner: string): Promise<void>
  /**
   * Writes the chunk's deliveries and moves the position in one transaction. Returns null, and
   * writes nothing, if another owner holds the lease or the position is not `from`. Each watch's
   * `sequence` grows by one per delivery, in event order, without a gap. Skips events that the
   * watch has a delivery for or that are no later than the watch, and watches that are removed,
   * paused or disabled; `deliveries.add` writes what those missed. The deliveries are leased to the
   * caller until `leaseUntil`, or due at once if that is null; those with a `dueAt` fall due then.
   */
  write(owner: string, chunk: FanOutChunk, now: number, leaseUntil: number | null): Promise<Dispatch[] | null>
  /** The last event up to which caches were told of corrections; null if they never were. */
  purgedSeq(): Promise<number | null>
  /** Moves it; does nothing if another owner holds the lease. */
  recordPurged(owner: string, seq: number): Promise<void>
}

/** The position of a listener in what is sent. */
export interface ListeningPosition {
  /** The last event. */
  readonly seq: number
  /** The last message that an owner asked for: a test, or a redelivery. */
  readonly resent: number
}

export interface ListeningHeads {
  /** The log's last event. */
  readonly logged: number
  /** The deliveries of all events up to this one are written. */
  readonly written: number
  readonly resent: number
}

export interface ResentDelivery {
  readonly resent: number
  readonly delivery: Delivery
}

/**
 * The log that a listener follows. Messages that owners ask for are numbered 1, 2, 3 … over all
 * watches, in commit order: a reader that has seen n never finds a lower one afterwards. A delivery
 * keeps the number of its last one.
 */
export interface Listening {
  heads(): Promise<ListeningHeads>
  /** Returns up to `limit` messages of the watch with a higher number, in order. */
  resentAfter(accountId: string, watchId: string, resent: number, limit: number): Promise<ResentDelivery[]>
}

export interface OwnerHeartbeat {
  readonly owner: string
  readonly beats: number
}

export interface RecordedHeartbeat {
  /** Of all owners, the caller too. */
  readonly heartbeats: readonly OwnerHeartbeat[]
  readonly schema: SchemaState
}

/** The processes that hold leases. */
export interface Owners {
  /**
   * Counts a heartbeat of the owner and returns those of all owners. The caller detects dead owners
   * by counts that do not change, so clocks of two machines are never compared.
   */
  recordHeartbeat(owner: string): Promise<RecordedHeartbeat>
  /**
   * Releases the leases of the owner's deliveries, of the fan-out and of polling. Returns false,
   * and releases nothing, if it has recorded another heartbeat, or another process was first.
   * `maybeAttempted` is false only if the owner has recorded every message that it sent.
   */
  releaseLeases(heartbeat: OwnerHeartbeat, now: number, maybeAttempted: boolean): Promise<boolean>
}
