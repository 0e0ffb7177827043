import type { AttemptOutcome } from '../../domain/delivery/delivery.ts'
import type { SendResult } from '../../domain/delivery/send-result.ts'
import type { Verdict } from '../../domain/delivery/verdict.ts'
import type { AttemptResult } from '../../store/store.ts'

export function attemptResultOf(deliveryId: string, sent: SendResult, verdict: Verdict): AttemptResult {
  const answered = sent.kind === 'answered'
  return {
    deliveryId,
    at: sent.startedAt,
    duration: sent.durationMs,
    outcome: outcomeOf(sent, verdict),
    statusCode: answered ? sent.status : null,
    answer: answered && sent.body !== '' ? sent.body : null,
    error: verdict.outcome === 'delivered' ? null : sent.message,
    retryAt: verdict.outcome === 'retry' ? verdict.at : null,
  }
}

function outcomeOf(sent: SendResult, { outcome }: Verdict): AttemptOutcome {
  if (outcome === 'delivered') return 'delivered'
  if (sent.kind === 'answered') return 'refused'
  if (sent.failure === 'timeout') return 'timeout'
  return sent.failure === 'refused_address' ? 'blocked' : 'unreachable'
}
