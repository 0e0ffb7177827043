import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import { StoreUnavailable } from '../store/store.ts'

const RETRY_INTERVAL_MS = 1000

/** Repeats `attempt` while the database cannot be reached. */
export type RetryStore = <Value>(attempt: () => Promise<Value>) => Promise<Value>

/** A service that starts before its database must come up without an operator. */
export function retryStoreUntil(stopping: AbortSignal, logger: Logger): RetryStore {
  return async (attempt) => {
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || stopping.aborted) throw error
        logger.warn({ err: error }, 'the database cannot be reached; retrying')
      }
      await wait(RETRY_INTERVAL_MS, undefined, { signal: stopping })
    }
  }
}
