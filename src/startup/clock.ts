import type { Logger } from 'pino'
import { WakeableSleep } from '../lib/concurrency.ts'
import { machine, type Runtime, SynchronizedClock, sleep } from '../lib/runtime.ts'
import { type Store, StoreFull, StoreUnavailable } from '../store/store.ts'
import type { StoreOutages } from './outages.ts'

const INTERVAL_MS = 5_000

/**
 * Keeps the clock in agreement with the database, so that all nodes share one time: a node whose
 * clock is years ahead would publish in the future and take every lease. SQLite has no clock of its
 * own; there the machine's clock counts.
 */
export async function followDatabaseClock(
  clock: SynchronizedClock,
  { readTime }: Pick<Store, 'readTime'>,
  {
    retryStore,
    runtime,
    logger,
  }: { readonly retryStore: RetryStore; readonly runtime: Runtime; readonly logger: Logger },
): Promise<AsyncDisposable> {
  if (readTime === null) return { [Symbol.asyncDispose]: async () => {} }
  await retryStore(() => clock.synchronize(readTime))
  const pause = new WakeableSleep(INTERVAL_MS, runtime)
  const finished = run()
  return {
    async [Symbol.asyncDispose]() {
      pause.stop()
      await finished
    },
  }

  async function run(): Promise<void> {
    let wasCorrected = false
    while (!pause.stopped) {
      const ahead = clock.correctedBy
      if (ahead !== 0 && !wasCorrected)
        logger.warn({ ahead_seconds: Math.round(ahead / 1000) }, 'the clock is wrong; the time of the database is used')
      wasCorrected = ahead !== 0
      await pause.wait()
      // The follower of the log reports an unavailable store; the last reading goes on counting.
      await clock.synchronize(readTime!).catch(() => {})
    }
  }
}

/** The clock of a command: the time of the database, or of the machine if it has none. */
export async function clockOf({ readTime }: Pick<Store, 'readTime'>): Promise<() => number> {
  const clock = new SynchronizedClock(machine)
  if (readTime !== null) await clock.synchronize(readTime)
  return clock.now
}

const RETRY_INTERVAL_MS = 1000

/** Repeats `attempt` while the database cannot be reached. */
export type RetryStore = <Value>(attempt: () => Promise<Value>) => Promise<Value>

/**
 * A service that starts before its database must come up without an operator. A full disk of this
 * machine needs one: `ownDisk` ends the start.
 */
export function retryStoreUntil(
  stopping: AbortSignal,
  runtime: Runtime,
  outages: StoreOutages,
  ownDisk: boolean,
): RetryStore {
  return async (attempt) => {
    for (;;) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || stopping.aborted || (ownDisk && error instanceof StoreFull))
          throw error
        outages.logger.warn({ err: error }, 'the database cannot be reached; retrying')
      }
      await sleep(runtime, RETRY_INTERVAL_MS, stopping)
    }
  }
}
