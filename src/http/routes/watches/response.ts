import type { Attempt, Delivery } from '../../../domain/delivery/delivery.ts'
import { shownStatus, type Watch } from '../../../domain/watch.ts'

type ShownWatch = Omit<Watch, 'createdSeq'>

/** With the secret, which is shown only when it is made. */
export function watchWithSecret(watch: ShownWatch) {
  return { ...watchResponse(watch), secret: watch.secrets[0]!.secret }
}

export function watchResponse(watch: ShownWatch) {
  return {
    id: watch.id,
    name: watch.name,
    url: watch.url,
    description: watch.description,
    filter: JSON.parse(watch.filter.given) as unknown,
    events: watch.events,
    status: shownStatus(watch),
    disabled_reason: watch.disabledReason,
    failing_since: timeOrNull(watch.failingSince),
    sequence: watch.sequence,
    created_at: time(watch.createdAt),
    updated_at: time(watch.updatedAt),
  }
}

export function deliveryResponse(delivery: Delivery) {
  return {
    id: delivery.id,
    watch_id: delivery.watchId,
    event: delivery.kind,
    seq: delivery.eventSeq,
    sequence: delivery.sequence,
    test: delivery.test,
    status: delivery.status,
    attempts: delivery.attempts,
    next_attempt_at: timeOrNull(delivery.dueAt),
    created_at: time(delivery.createdAt),
    finished_at: timeOrNull(delivery.finishedAt),
  }
}

export function attemptResponse({ number, at, duration, outcome, statusCode, answer, error }: Attempt) {
  return { number, at: time(at), duration_ms: duration, outcome, status_code: statusCode, answer, error }
}

function time(at: number): string {
  return new Date(at).toISOString()
}

function timeOrNull(at: number | null): string | null {
  return at === null ? null : time(at)
}
