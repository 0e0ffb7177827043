import { ApiError } from '../api-client.ts'
import { reconnectDelay } from '../live/freshness.ts'

const FIRST_RETRY_DELAY_MS = 1000

/** Doubles with each attempt, but is never shorter than the service asked for (`Retry-After`). */
export function retryDelay(error: unknown, attempt: number, random: () => number): number {
  const retryAfterMs = error instanceof ApiError ? error.retryAfterMs : 0
  return Math.max(retryAfterMs, reconnectDelay(attempt, FIRST_RETRY_DELAY_MS, random))
}
