import { type LoggedMessages, loggedHeaders } from '../../../deliveries/logged-message.ts'
import type { Attempt, Delivery } from '../../../domain/delivery.ts'
import type { Watch } from '../../../domain/watch.ts'
import type { DeliveryDetails, LoggedDelivery } from '../../../store/store.ts'

export function deliveryResponse({ delivery, incidentId, lastAttempt }: LoggedDelivery) {
  return {
    id: delivery.id,
    watch_id: delivery.watchId,
    event: delivery.kind,
    incident_id: incidentId,
    seq: delivery.eventSeq,
    sequence: delivery.sequence,
    test: delivery.test,
    status: delivery.status,
    attempts: delivery.attempts,
    last_attempt: lastAttempt && lastAttemptResponse(lastAttempt),
    next_attempt_at: timeOrNull(delivery.dueAt),
    created_at: time(delivery.createdAt),
    finished_at: timeOrNull(delivery.finishedAt),
  }
}

/** The headers are those that the watch has now: those of earlier attempts are not stored. */
export function deliveryDetailsResponse(
  details: DeliveryDetails,
  { bodies, next }: LoggedMessages,
  watch: Pick<Watch, 'headers' | 'channel'> | null,
  now: number,
) {
  const { delivery, attempts } = details
  return {
    ...deliveryResponse(loggedOf(details)),
    log: attempts.map((attempt) => attemptResponse(attempt, delivery, watch)),
    bodies: bodies.map(({ contentSeq, version, redacted, body }) => ({
      content_seq: contentSeq,
      version,
      redacted,
      body,
    })),
    next: next && {
      content_seq: next.contentSeq,
      version: next.version,
      headers: loggedHeaders(delivery, now, watch?.headers ?? [], watch?.channel),
      body: next.body,
    },
  }
}

export function loggedOf({ delivery, incidentId, attempts }: DeliveryDetails): LoggedDelivery {
  return { delivery, incidentId, lastAttempt: attempts.at(-1) ?? null }
}

function attemptResponse(attempt: Attempt, delivery: Delivery, watch: Pick<Watch, 'headers' | 'channel'> | null) {
  return {
    ...lastAttemptResponse(attempt),
    answer: attempt.answer,
    error: attempt.error,
    content_seq: attempt.contentSeq,
    headers: loggedHeaders(delivery, attempt.at, watch?.headers ?? [], watch?.channel),
  }
}

function lastAttemptResponse({
  number,
  at,
  duration,
  outcome,
  statusCode,
}: NonNullable<LoggedDelivery['lastAttempt']>) {
  return { number, at: time(at), duration_ms: duration, outcome, status_code: statusCode }
}

function time(at: number): string {
  return new Date(at).toISOString()
}

function timeOrNull(at: number | null): string | null {
  return at === null ? null : time(at)
}
