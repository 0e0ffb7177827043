import type { AttemptOutcome } from '../../domain/delivery/delivery.ts'
import type { SendResult } from '../../domain/delivery/send-result.ts'
import type { Verdict } from '../../domain/delivery/verdict.ts'
import type { AttemptResult } from '../../store/store.ts'

/** What is written down of an attempt. */
export function resultOf(deliveryId: string, sent: SendResult, verdict: Verdict): AttemptResult {
  return {
    deliveryId,
    at: sent.startedAt,
    duration: sent.durationMs,
    outcome: outcomeOf(sent, verdict),
    statusCode: sent.status,
    answer: sent.answer === '' ? null : sent.answer,
    error: verdict.outcome === 'delivered' ? null : sent.message,
    retryAt: verdict.outcome === 'retry' ? verdict.at : null,
  }
}

function outcomeOf({ status, failure }: SendResult, { outcome }: Verdict): AttemptOutcome {
  if (outcome === 'delivered') return 'delivered'
  if (status !== null) return 'refused'
  if (failure === 'timeout') return 'timeout'
  return failure === 'refused_address' ? 'blocked' : 'unreachable'
}
