import { storableText } from '../lib/text.ts'
import type { Severity } from './taxonomy.ts'
import type { WatchEvent } from './watch.ts'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'cancelled'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** One event to be sent to one watch. */
export interface Delivery {
  /** Sent as `webhook-id`: the same in every attempt. */
  readonly id: string
  readonly watchId: string
  readonly eventSeq: number
  /** Counts 1, 2, 3 … for each watch. */
  readonly sequence: number
  readonly kind: WatchEvent
  /** The watch's name at creation: renaming the watch must not change the body. */
  readonly watchName: string
  /** The endpoint's host at creation. */
  readonly host: string
  /** Critical deliveries are sent first if there is a backlog. */
  readonly critical: boolean
  /** The worst of any version of the incident so far; null if the watch had no schedule. */
  readonly severity: Severity | null
  readonly status: DeliveryStatus
  /** A message of the test endpoint: finished, about no event, with the sequence number 0. */
  readonly test: boolean
  /** All attempts, including those before a redelivery. */
  readonly attempts: number
  /** Whether an attempt may have been made that was not recorded: its lease or answer was lost. */
  readonly maybeAttempted: boolean
  /** Attempts since its creation or last redelivery: the index in `RETRY_DELAYS`. */
  readonly tries: number
  /** The next attempt; the end of the lease while leased; null once finished, or while parked. */
  readonly dueAt: number | null
  readonly leaseOwner: string | null
  readonly createdAt: number
  readonly finishedAt: number | null
}

/** An attempt that failed, or whose answer was lost, may have arrived all the same. */
export function mayHaveArrived({ attempts, maybeAttempted }: Pick<Delivery, 'attempts' | 'maybeAttempted'>): boolean {
  return attempts > 0 || maybeAttempted
}

export const ATTEMPT_OUTCOMES = ['delivered', 'refused', 'timeout', 'unreachable', 'blocked'] as const
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]

export interface Attempt {
  /** Counts 1, 2, 3 … for each delivery. */
  readonly number: number
  /** Time of its beginning; also the time in its signature. */
  readonly at: number
  /** In whole milliseconds. */
  readonly duration: number
  readonly outcome: AttemptOutcome
  readonly statusCode: number | null
  /**
   * The event whose version of the incident was sent: with it the body can be rebuilt. Null if it
   * is not known.
   */
  readonly contentSeq: number | null
  /** The beginning of the endpoint's response body. */
  readonly answer: string | null
  readonly error: string | null
}

const MAX_EXCERPT_LENGTH = 1_024

/** Cuts foreign text and replaces characters that PostgreSQL cannot store. */
export function storableExcerpt(text: string | null): string | null {
  return text === null ? null : storableText(text.slice(0, MAX_EXCERPT_LENGTH))
}

/** Reasons why an attempt got no answer, as sentences for the watch's owner. */
export const FAILURES = {
  timeout: 'The endpoint did not answer in time.',
  unknown_host: 'The host has no address.',
  refused_address: 'The host leads to an address that nothing may be sent to.',
  connection_refused: 'Nothing accepts connections there.',
  unreachable: 'The host cannot be reached.',
  connection_closed: 'The endpoint closed the connection before it had answered.',
  bad_certificate: "The endpoint's certificate is not trusted.",
  no_tls: 'No secure connection could be agreed on.',
  malformed_answer: 'The answer is not HTTP, or its headers are too large.',
  failed: 'The request failed.',
} as const
export type Failure = keyof typeof FAILURES

/** The endpoint's reaction to one POST: an answer with a status, or a failure without one. */
export type EndpointReply =
  | {
      readonly kind: 'answered'
      readonly status: number
      /** A sentence for the watch's owner. */
      readonly message: string
      /** The beginning of the response body, as text. */
      readonly body: string
      /** The `Retry-After` header as received. */
      readonly retryAfter: string | null
      /** True if no later attempt can succeed, whatever the status. */
      readonly gone?: true
    }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly message: string }

export type SendResult = EndpointReply & { readonly startedAt: number; readonly durationMs: number }
