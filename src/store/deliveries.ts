import type { Attempt, Delivery, DeliveryStatus } from '../domain/delivery/delivery.ts'
import type { NewDelivery } from './fan-out.ts'

/** A delivery that is the caller's to attempt, and where to. */
export interface Dispatch {
  readonly delivery: Delivery
  readonly endpoint: Endpoint
}

/** As the watch has it now, which may be elsewhere than when the delivery was made. */
export interface Endpoint {
  readonly url: string
  readonly secret: string
  readonly previousSecret: string | null
  readonly previousSecretExpiresAt: number | null
}

export interface Leased {
  readonly dispatches: readonly Dispatch[]
  /** Whether to ask again at once, though they may be fewer than was asked for. */
  readonly more: boolean
}

/** How one attempt went, and what follows from it. */
export interface AttemptResult extends Omit<Attempt, 'number'> {
  readonly deliveryId: string
  /** When to try again; null where this was the last attempt, or none is needed. */
  readonly retryAt: number | null
}

/** A watch with a failure just recorded. */
export interface FailingWatch {
  readonly watchId: string
  readonly accountId: string
  readonly failingSince: number
}

export interface QueueDepth {
  /** Due now or later, and nobody's. */
  readonly waiting: number
  readonly leased: number
  /** Of those waiting. */
  readonly oldestDueAt: number | null
}

export interface Deliveries {
  /**
   * Leases due deliveries until `until`, critical ones first, then the longest due: to one caller only while the lease
   * holds; one whose lease has run out is due again. None to `exceptHosts`; where those have a long queue of their own the others are found host by host, in turn.
   *
   * What falls due while its watch is paused or disabled has failed, without an attempt, and can be recovered.
   */
  lease(owner: string, now: number, until: number, limit: number, exceptHosts: readonly string[]): Promise<Leased>
  /**
   * Keeps every attempt, and moves the deliveries on that are still the owner's: delivered, due again, or failed. An attempt
   * whose lease another has taken over is kept too, and counts where it succeeded: the endpoint has it. What
   * an endpoint said is kept to its first 1,024 characters, those that no store can keep replaced.
   *
   * Returns the watches with a failure after their last success, and since when they have been failing.
   */
  recordAttempts(owner: string, results: readonly AttemptResult[], now: number): Promise<FailingWatch[]>
  /** Makes deliveries outside the fan-out, due at once, under the same rules as `fanOut.write`. How many were made. */
  add(deliveries: readonly NewDelivery[], now: number): Promise<number>
  /** By the order of events, newest first, those of events before `before` only. */
  list(
    accountId: string,
    watchId: string,
    status: DeliveryStatus | null,
    limit: number,
    before: number | null,
  ): Promise<Delivery[]>
  /** With its attempts, the first one first. */
  find(accountId: string, id: string): Promise<{ delivery: Delivery; attempts: Attempt[] } | null>
  /**
   * Due at once, as if it had never been tried; its attempts stay. One that is under way is not begun a second time. The
   * delivery as it then is, or null where the account has no such delivery.
   */
  redeliver(accountId: string, id: string, now: number): Promise<Delivery | null>
  /** Does the same for failed ones made at `since` or later, at most `limit` at a time. How many there were. */
  recover(accountId: string, watchId: string, since: number, now: number, limit: number): Promise<number>
  /**
   * The clock was set back by so much, to `now`: what waits to fall due does so by that much earlier, but not before `now`.
   * What is leased is left alone.
   */
  reschedule(by: number, now: number): Promise<void>
  /** What is pending, each number counted up to `most`: a look at a queue of millions costs no more than at a short one. */
  queueDepth(most: number): Promise<QueueDepth>
  /**
   * Deletes deliveries finished before, and those whose watch is gone, with their attempts: at most `limit`. How many; 0 once
   * there are none.
   */
  deleteExpired(before: number, limit: number): Promise<number>
  /** Calls `listener` soon after this or another process has made deliveries due at once. A wake-up only, as the log's. */
  onDue(listener: () => void): () => void
}
