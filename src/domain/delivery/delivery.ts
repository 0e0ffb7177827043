import type { WatchEvent } from '../watch.ts'

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number]

/** One event owed to one watch. */
export interface Delivery {
  /** `webhook-id`: the same over every attempt. */
  readonly id: string
  readonly watchId: string
  readonly eventSeq: number
  /** 1, 2, 3 … for each watch. */
  readonly sequence: number
  readonly kind: WatchEvent
  /** The watch's name when the delivery was made: the body stays the same over every attempt, whoever renames the watch. */
  readonly watchName: string
  /** The endpoint's host when the delivery was made. */
  readonly host: string
  /** Goes first where there is a backlog. */
  readonly critical: boolean
  readonly status: DeliveryStatus
  /** All that were made. */
  readonly attempts: number
  /** Those since it was made or last redelivered: where it stands in the table of retries. */
  readonly tries: number
  /** When to try next; while it is leased, when the lease ends; null once it is finished. */
  readonly dueAt: number | null
  readonly leaseOwner: string | null
  readonly createdAt: number
  readonly finishedAt: number | null
}

export const ATTEMPT_OUTCOMES = ['delivered', 'refused', 'timeout', 'unreachable', 'blocked'] as const
export type AttemptOutcome = (typeof ATTEMPT_OUTCOMES)[number]

export interface Attempt {
  /** 1, 2, 3 … for each delivery. */
  readonly number: number
  readonly at: number
  /** In whole milliseconds. */
  readonly duration: number
  readonly outcome: AttemptOutcome
  readonly statusCode: number | null
  /** How the endpoint's answer begins. */
  readonly answer: string | null
  readonly error: string | null
}

const ANSWER_CHARACTERS = 1_024

/** What is kept of words that are not ours: an endpoint may answer whatever it likes, however much of it. */
export function storableExcerpt(text: string | null): string | null {
  return text === null ? null : text.slice(0, ANSWER_CHARACTERS).toWellFormed().replaceAll('\0', '\ufffd')
}
