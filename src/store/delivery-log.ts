import type { Attempt, Delivery, DeliveryStatus } from '../domain/delivery.ts'
import type { WatchEvent } from '../domain/watch.ts'

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
