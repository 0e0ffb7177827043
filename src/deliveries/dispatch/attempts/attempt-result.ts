import type { Attempt, AttemptOutcome, Delivery, SendResult } from '../../../domain/delivery.ts'
import type { Verdict } from '../../../domain/retry.ts'
import type { AttemptResult } from '../../../store/store.ts'

export function attemptResultOf(
  delivery: Pick<Delivery, 'id' | 'watchId'>,
  url: string,
  contentSeq: number | null,
  sent: SendResult,
  verdict: Verdict,
): AttemptResult {
  return {
    deliveryId: delivery.id,
    watchId: delivery.watchId,
    url,
    ...attemptOf(sent, verdict.outcome === 'delivered', contentSeq),
    retryAt: verdict.outcome === 'retry' || verdict.outcome === 'gone' ? verdict.at : null,
    ...(verdict.outcome === 'gone' ? { gone: true } : {}),
  }
}

export function attemptOf(sent: SendResult, delivered: boolean, contentSeq: number | null): Omit<Attempt, 'number'> {
  const answered = sent.kind === 'answered'
  return {
    at: sent.startedAt,
    duration: sent.durationMs,
    outcome: outcomeOf(sent, delivered),
    statusCode: answered ? sent.status : null,
    contentSeq,
    answer: answered && sent.body !== '' ? sent.body : null,
    error: delivered ? null : sent.message,
  }
}

/** Ends a delivery without an attempt: what it would say is no longer true. */
export function cancellationOf(delivery: Pick<Delivery, 'id' | 'watchId'>, now: number): AttemptResult {
  return {
    deliveryId: delivery.id,
    watchId: delivery.watchId,
    url: '',
    at: now,
    duration: 0,
    outcome: 'cancelled',
    statusCode: null,
    contentSeq: null,
    answer: null,
    error: null,
    retryAt: null,
  }
}

function outcomeOf(sent: SendResult, delivered: boolean): AttemptOutcome {
  if (delivered) return 'delivered'
  if (sent.kind === 'answered') return 'refused'
  if (sent.failure === 'timeout') return 'timeout'
  return sent.failure === 'refused_address' ? 'blocked' : 'unreachable'
}
