import type { AttemptOutcome, DeliveryStatus } from '../../../src/domain/delivery.ts'
import type { WatchEvent } from '../../../src/domain/watch.ts'

interface LastAttempt {
  readonly number: number
  readonly at: string
  readonly duration_ms: number
  readonly outcome: AttemptOutcome
  readonly status_code: number | null
}

/** A delivery as the log lists it. */
export interface DeliveryEntry {
  readonly id: string
  readonly watch_id: string
  readonly event: WatchEvent
  readonly incident_id: string | null
  readonly test: boolean
  readonly status: DeliveryStatus
  readonly attempts: number
  readonly last_attempt: LastAttempt | null
  readonly next_attempt_at: string | null
  readonly created_at: string
  readonly finished_at: string | null
}

interface AttemptEntry extends LastAttempt {
  readonly answer: string | null
  readonly error: string | null
  readonly content_seq: number | null
  readonly headers: Readonly<Record<string, string>>
}

export interface DeliveryDetail extends DeliveryEntry {
  readonly log: readonly AttemptEntry[]
  readonly bodies: readonly {
    readonly content_seq: number | null
    readonly version: number
    readonly redacted: boolean
    readonly body: string | null
  }[]
  readonly next: { readonly version: number; readonly body: string } | null
}

export const OUTCOME_WORDS: Readonly<Record<AttemptOutcome, string>> = {
  delivered: 'delivered',
  refused: 'refused',
  timeout: 'no answer in time',
  unreachable: 'not reachable',
  blocked: 'address not allowed',
}

export function attemptText({ status_code, outcome, duration_ms }: LastAttempt): string {
  const answer = status_code === null ? OUTCOME_WORDS[outcome] : `status ${status_code}`
  return `${answer} after ${duration_ms} ms`
}
