import { setTimeout as wait } from 'node:timers/promises'
import { StaleVersion, StoreUnavailable } from '../../store/store.ts'

/** A restarting database is back within a minute; otherwise an operator must look at it. */
export const RETRY_PAUSES_MS: readonly number[] = [1, 2, 4, 8, 15, 30].map((seconds) => seconds * 1_000)
/** Bounds retries while another writer keeps changing the same incidents. */
const MAX_STALE_RETRIES = 10

export interface StoreRetryOptions {
  readonly pauses?: readonly number[]
  /** Called before each pause. */
  readonly onUnavailable?: (error: StoreUnavailable, milliseconds: number) => void
}

/**
 * Repeats `work` a limited number of times: at once after `StaleVersion`, after a pause if the
 * database is unavailable. `again` is true if a failed attempt may have been written, its response
 * lost.
 */
export async function retryStore<Result>(
  work: (again: boolean) => Promise<Result>,
  { pauses = RETRY_PAUSES_MS, onUnavailable }: StoreRetryOptions,
): Promise<Result> {
  let pausesTaken = 0
  for (let stale = 0; ; ) {
    try {
      return await work(pausesTaken > 0)
    } catch (error) {
      if (error instanceof StaleVersion && ++stale <= MAX_STALE_RETRIES) continue
      const pause = pauses[pausesTaken++]
      if (!(error instanceof StoreUnavailable) || pause === undefined) throw error
      onUnavailable?.(error, pause)
      await wait(pause)
    }
  }
}
