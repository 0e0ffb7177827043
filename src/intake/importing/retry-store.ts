import { setTimeout as wait } from 'node:timers/promises'
import { StaleVersion, StoreUnavailable } from '../../store/store.ts'

/** A database that restarts is back within a minute; one that is not needs somebody to look at it. */
export const RETRY_PAUSES_MS: readonly number[] = [1, 2, 4, 8, 15, 30].map((seconds) => seconds * 1_000)
/** Whoever changes the same incidents again and again must stop at some time. */
const MOST_STALE = 10

export interface StoreRetryOptions {
  readonly pauses?: readonly number[]
  /** Told before each pause. */
  readonly onUnavailable?: (error: StoreUnavailable, milliseconds: number) => void
}

/**
 * Works until it succeeds: again at once where somebody else wrote meanwhile, after a pause where the database is away, and
 * not for ever. `again` is true after an attempt whose answer may have been lost.
 */
export async function retryStore<Result>(
  work: (again: boolean) => Promise<Result>,
  { pauses = RETRY_PAUSES_MS, onUnavailable }: StoreRetryOptions,
): Promise<Result> {
  let away = 0
  for (let stale = 0; ; ) {
    try {
      return await work(away > 0)
    } catch (error) {
      if (error instanceof StaleVersion && ++stale <= MOST_STALE) continue
      const pause = pauses[away++]
      if (!(error instanceof StoreUnavailable) || pause === undefined) throw error
      onUnavailable?.(error, pause)
      await wait(pause)
    }
  }
}
