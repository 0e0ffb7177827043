import { nextAttemptAt } from './retry.ts'
import type { SendResult } from './send-result.ts'

type StatusAction = 'delivered' | 'retry' | 'retry_when_asked' | 'gone'

/** Actions by the status of the response; the first matching row applies. */
const STATUS_ACTIONS: readonly { readonly from: number; readonly to: number; readonly action: StatusAction }[] = [
  { from: 200, to: 299, action: 'delivered' },
  { from: 410, to: 410, action: 'gone' },
  { from: 429, to: 429, action: 'retry_when_asked' },
  { from: 503, to: 503, action: 'retry_when_asked' },
  // Redirects are not followed: that would send a signed message to a URL the owner did not choose.
  { from: 100, to: 999, action: 'retry' },
]

export type Verdict =
  | { readonly outcome: 'delivered' }
  | { readonly outcome: 'retry'; readonly at: number }
  /** No attempt is left. */
  | { readonly outcome: 'exhausted' }
  /** The endpoint is gone for good: the watch is disabled; `at` counts once it is resumed. */
  | { readonly outcome: 'gone'; readonly at: number | null }

/** Decides on a delivery after an attempt; `attempts` includes this one. */
export function verdictOn(result: SendResult, attempts: number, now: number, random: () => number): Verdict {
  // Any failure without a response may be temporary, even a wrong certificate.
  const action = result.kind === 'failed' ? 'retry' : result.gone ? 'gone' : actionFor(result.status)
  if (action === 'delivered') return { outcome: 'delivered' }
  const retryAfter = result.kind === 'answered' && action === 'retry_when_asked' ? result.retryAfter : null
  const at = nextAttemptAt(attempts, now, random, retryAfter)
  if (action === 'gone') return { outcome: 'gone', at }
  return at === null ? { outcome: 'exhausted' } : { outcome: 'retry', at }
}

function actionFor(status: number): StatusAction {
  return STATUS_ACTIONS.find(({ from, to }) => status >= from && status <= to)?.action ?? 'retry'
}
