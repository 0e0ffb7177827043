import type { Attempt, Delivery, DeliveryStatus } from '../domain/delivery/delivery.ts'
import type { WatchEvent } from '../domain/watch.ts'

/** A delivery to be written: one event for one watch. */
export interface NewDelivery {
  readonly id: string
  readonly watchId: string
  readonly eventSeq: number
  readonly kind: WatchEvent
  readonly critical: boolean
}

/** A delivery leased to the caller, with the endpoint to send it to. */
export interface Dispatch {
  readonly delivery: Delivery
  readonly endpoint: Endpoint
}

/** The watch's current endpoint; it may have changed since the delivery was written. */
export interface Endpoint {
  readonly url: string
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousSecretExpiresAt: number | null
}

export interface LeaseResult {
  readonly dispatches: readonly Dispatch[]
  /** True if more may be due: lease again at once, even if fewer than `limit` were returned. */
  readonly more: boolean
}

/** The outcome of one attempt, and when to retry. */
export interface AttemptResult extends Omit<Attempt, 'number'> {
  readonly deliveryId: string
  /** Null after success, or after the last attempt. */
  readonly retryAt: number | null
}

/** A watch for which a failure was just recorded. */
export interface FailingWatch {
  readonly watchId: string
  readonly accountId: string
  readonly failingSince: number
}

export interface QueueDepth {
  /** Pending deliveries without a lease, due now or later. */
  readonly waiting: number
  readonly leased: number
  /** The earliest due time of the waiting deliveries. */
  readonly oldestDueAt: number | null
}

export interface Deliveries {
  /**
   * Leases due deliveries until `until`: critical ones first, then those due longest. No two
   * callers receive the same delivery while its lease is valid; after that it is due again. Skips
   * the hosts in `exceptHosts`; if those fill the front of the queue, the deliveries of the other
   * hosts are collected host by host, in rotation.
   *
   * A delivery that falls due while its watch is paused or disabled fails without an attempt, and
   * can be recovered.
   */
  lease(owner: string, now: number, until: number, limit: number, exceptHosts: readonly string[]): Promise<LeaseResult>
  /**
   * Stores every attempt and updates the deliveries that the owner still holds: delivered, due
   * again, or failed. An attempt after the lease has passed to another owner is stored too, and
   * counts if it succeeded, because the endpoint has received it. Stores the first 1,024 characters
   * of an endpoint's answer, with characters that a store cannot hold replaced.
   *
   * Returns the watches with a failure after their last success, with the time of the first one.
   */
  recordAttempts(owner: string, results: readonly AttemptResult[], now: number): Promise<FailingWatch[]>
  /**
   * Writes deliveries outside the fan-out, due at once, under the rules of `fanOut.write`. Returns
   * how many were written.
   */
  add(deliveries: readonly NewDelivery[], now: number): Promise<number>
  /** Returns a watch's deliveries, latest event first; only of events before `before` if given. */
  list(
    accountId: string,
    watchId: string,
    status: DeliveryStatus | null,
    limit: number,
    before: number | null,
  ): Promise<Delivery[]>
  /** Returns the delivery with its attempts, in order. */
  find(accountId: string, id: string): Promise<{ delivery: Delivery; attempts: Attempt[] } | null>
  /**
   * Makes a delivery due at once with a new set of tries; its attempts are kept. A delivery that is
   * leased stays leased, so that it is not sent twice at once. Returns the updated delivery, or
   * null if the account has no such delivery.
   */
  redeliver(accountId: string, id: string, now: number): Promise<Delivery | null>
  /**
   * Redelivers failed deliveries of a watch that were created at `since` or later, at most `limit`
   * per call. Returns how many.
   */
  recover(accountId: string, watchId: string, since: number, now: number, limit: number): Promise<number>
  /**
   * Corrects due times after the clock was set back by `by` milliseconds to `now`: waiting
   * deliveries fall due earlier by that much, but not before `now`. Leased ones are not changed.
   */
  reschedule(by: number, now: number): Promise<void>
  /** Counts pending deliveries, each number up to `max`, so that a long queue costs no more. */
  queueDepth(max: number): Promise<QueueDepth>
  /**
   * Deletes deliveries that finished before `before`, and those of removed watches, with their
   * attempts: at most `limit` per call. Returns how many; 0 when none are left.
   */
  deleteExpired(before: number, limit: number): Promise<number>
  /**
   * Calls `listener` soon after this or another process makes deliveries due at once. Notifications
   * may be lost, as in `EventLog.onAppend`.
   */
  onDue(listener: () => void): () => void
}
