import type { Logger } from 'pino'
import { LONGEST_LEASE_MS } from '../deliveries/dispatcher.ts'
import { WakeableSleep } from '../lib/concurrency.ts'
import { type AgingClock, machine, type Runtime, SynchronizedClock, sleep } from '../lib/runtime.ts'
import { MIN_CORRECTED_MS, type Store, StoreFull, StoreUnavailable } from '../store/store.ts'
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

const CHECK_INTERVAL_MS = 1000
/** Gradual corrections change less than this between two checks. */
const MIN_SET_BACK_MS = 1000
const RECORD_INTERVAL_MS = 60_000
const DAY_MS = 86_400_000

interface ClockKeeperParts {
  readonly store: Pick<Store, 'clock' | 'deliveries'>
  readonly clock: () => number
  readonly aging: AgingClock
  readonly runtime: Runtime
  readonly logger: Logger
}

/**
 * Notices steps of the clock. After one back, whatever waits for a time that lies ahead is due as
 * early as it was meant to be, also if the clock was set while no process ran. After one ahead,
 * ages are counted on slowly (see `AgingClock`).
 */
export class ClockKeeper implements AsyncDisposable {
  readonly #parts: ClockKeeperParts
  readonly #sleep: WakeableSleep
  #finished: Promise<void> = Promise.resolve()
  /** The clock's time when `elapsed` was 0. */
  #origin: number
  #recordedAt = 0
  #wasAhead = false
  /** Of the step that the check before has found; 0 if it has found none. */
  #justSetBackBy = 0

  private constructor(parts: ClockKeeperParts) {
    this.#parts = parts
    this.#sleep = new WakeableSleep(CHECK_INTERVAL_MS, parts.runtime)
    this.#origin = this.#currentOrigin()
  }

  /** Resolves once times are corrected that lay ahead of the clock. */
  static async start(parts: ClockKeeperParts, retryStore: RetryStore): Promise<ClockKeeper> {
    const keeper = new ClockKeeper(parts)
    const { store, clock, aging } = parts
    const { agedAt, setBackBy } = await retryStore(() => store.clock.record(clock(), null, 0))
    aging.continueFrom(agedAt)
    if (setBackBy > 0) await retryStore(() => keeper.#reschedule(setBackBy))
    keeper.#logSetBack(setBackBy)
    keeper.#recordedAt = parts.runtime.elapsed()
    keeper.#finished = keeper.#run()
    return keeper
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sleep.stop()
    await this.#finished
  }

  async #run(): Promise<void> {
    const { logger } = this.#parts
    while (!this.#sleep.stopped) {
      await this.#check().catch((error: unknown) => logger.warn({ err: error }, 'the clock cannot be recorded'))
      await this.#sleep.wait()
    }
  }

  /** Repeated if it rejects: the step is forgotten only when its effects are corrected. */
  async #check(): Promise<void> {
    const { store, clock, aging, runtime } = this.#parts
    const origin = this.#currentOrigin()
    const setBackBy = Math.round(this.#origin - origin)
    this.#logJumpAhead()
    const isStep = Math.abs(setBackBy) >= MIN_CORRECTED_MS
    if (isStep || runtime.elapsed() - this.#recordedAt >= RECORD_INTERVAL_MS) {
      // Times are not counted from before the step: ages go back with the clock at once.
      await store.clock.record(clock(), aging.now(), Math.max(0, setBackBy))
      this.#recordedAt = runtime.elapsed()
    }
    // Once more: results with due times of the clock before were on their way to the store.
    if (this.#justSetBackBy > 0) await this.#reschedule(this.#justSetBackBy)
    this.#justSetBackBy = 0
    if (setBackBy >= MIN_SET_BACK_MS) {
      await this.#reschedule(setBackBy)
      this.#logSetBack(setBackBy)
      this.#justSetBackBy = setBackBy
    }
    this.#origin = origin
  }

  #reschedule(by: number): Promise<void> {
    const { store, clock } = this.#parts
    return store.deliveries.reschedule(by, clock(), clock() + LONGEST_LEASE_MS)
  }

  #logSetBack(by: number): void {
    const { logger } = this.#parts
    if (by >= MIN_CORRECTED_MS)
      logger.warn({ seconds: Math.round(by / 1000) }, 'the clock was set back; times that lay ahead are corrected')
  }

  #logJumpAhead(): void {
    const { aging, logger } = this.#parts
    const { behindMs } = aging
    const isAhead = behindMs >= DAY_MS
    if (isAhead && !this.#wasAhead)
      logger.warn(
        { days: Math.round(behindMs / DAY_MS) },
        'the clock has jumped ahead; ages are counted on by a day an hour, so that nothing is deleted early if it is wrong',
      )
    this.#wasAhead = isAhead
  }

  #currentOrigin(): number {
    return this.#parts.clock() - this.#parts.runtime.elapsed()
  }
}
