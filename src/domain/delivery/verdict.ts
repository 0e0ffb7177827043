import { nextAttemptAt } from './retry.ts'
import type { SendResult } from './send-result.ts'

type ParsedRow = 'delivered' | 'retry' | 'retry_when_asked' | 'gone'

/** What an answer's status means; the first row that fits. */
const MEANINGS: readonly { readonly from: number; readonly to: number; readonly meaning: ParsedRow }[] = [
  { from: 200, to: 299, meaning: 'delivered' },
  { from: 410, to: 410, meaning: 'gone' },
  { from: 429, to: 429, meaning: 'retry_when_asked' },
  { from: 503, to: 503, meaning: 'retry_when_asked' },
  // Redirects too: following one would send a signed message where its owner never asked for it.
  { from: 100, to: 999, meaning: 'retry' },
]

/** What becomes of a delivery. */
export type Verdict =
  | { readonly outcome: 'delivered' }
  | { readonly outcome: 'retry'; readonly at: number }
  /** No attempt is left. */
  | { readonly outcome: 'exhausted' }
  /** The endpoint says that it is gone for good: the watch is disabled. */
  | { readonly outcome: 'gone' }

/** After the attempt that was the delivery's `attempts`th. */
export function verdictOn(attempt: SendResult, attempts: number, now: number, random: () => number): Verdict {
  const meaning = meaningOf(attempt.status)
  if (meaning === 'delivered' || meaning === 'gone') return { outcome: meaning }
  const at = nextAttemptAt(attempts, now, random, meaning === 'retry_when_asked' ? attempt.retryAfter : null)
  return at === null ? { outcome: 'exhausted' } : { outcome: 'retry', at }
}

/** Without a status there was no answer: whatever the failure, it may pass, a wrong certificate or address too. */
function meaningOf(status: number | null): ParsedRow {
  if (status === null) return 'retry'
  return MEANINGS.find(({ from, to }) => status >= from && status <= to)?.meaning ?? 'retry'
}
