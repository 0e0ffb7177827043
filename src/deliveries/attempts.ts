import type { Attempt, Delivery, SendResult } from '../domain/delivery.ts'
import type { Verdict } from '../domain/retry.ts'
import { type Runtime, sleep } from '../lib/runtime.ts'
import {
  type AttemptResult,
  type Deliveries,
  type FailingWatch,
  type PostponedDelivery,
  StoreUnavailable,
} from '../store/store.ts'
import type { DeliveryQueues, StartedAttempt } from './queues.ts'

/** An answer that takes longer is late. */
const LATE_AFTER_MS = 1000
/** If a pool is full, attempts that have waited for this long make room. */
const MAKE_ROOM_AFTER_MS = 100

/** Attempts in flight. Those that take long are suspended, so that they leave room for the rest. */
export class InFlightAttempts {
  readonly #runtime: Runtime
  /** In starting order. */
  readonly #attempts = new Set<StartedAttempt>()
  /** Attempts that are late and suspended: nothing more is expected of them but their end. */
  readonly #waiting = new Set<StartedAttempt>()
  #whenEmpty: () => void = () => {}

  constructor(runtime: Runtime) {
    this.#runtime = runtime
  }

  get size(): number {
    return this.#attempts.size + this.#waiting.size
  }

  /** Whether some attempt may become late, or leave room. */
  get needsChecks(): boolean {
    return this.#attempts.size > 0
  }

  add(attempt: StartedAttempt): void {
    this.#attempts.add(attempt)
  }

  /** Returns whether the attempt was late. */
  end(attempt: StartedAttempt): boolean {
    if (!this.#attempts.delete(attempt)) this.#waiting.delete(attempt)
    if (this.size === 0) this.#whenEmpty()
    return this.#runtime.elapsed() - attempt.startedAt > LATE_AFTER_MS
  }

  /** Suspends what takes long; reports each late attempt once. Returns whether room was made. */
  suspendSlow(
    queues: Pick<DeliveryQueues, 'isCrowded' | 'suspend'>,
    reportLate: (attempt: StartedAttempt) => void,
  ): boolean {
    const now = this.#runtime.elapsed()
    let freed = false
    for (const attempt of this.#attempts) {
      const age = now - attempt.startedAt
      if (age < MAKE_ROOM_AFTER_MS) break
      const late = age >= LATE_AFTER_MS
      if (late && !attempt.late) {
        attempt.late = true
        reportLate(attempt)
      }
      if (attempt.pool !== 'suspended' && (late || queues.isCrowded(attempt.pool)))
        freed = queues.suspend(attempt) || freed
      if (late && attempt.pool === 'suspended') {
        this.#attempts.delete(attempt)
        this.#waiting.add(attempt)
      }
    }
    return freed
  }

  /** Resolves once nothing is in flight, or after the timeout. */
  async drain(timeoutMs: number): Promise<void> {
    if (this.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = this.#runtime.setTimeout(resolve, timeoutMs)
      this.#whenEmpty = () => {
        this.#runtime.clear(timer)
        resolve()
      }
    })
  }
}

export function attemptResultOf(
  delivery: Pick<Delivery, 'id' | 'watchId'>,
  url: string,
  contentSeq: number | null,
  sent: SendResult,
  verdict: Verdict,
): AttemptResult {
  return {
    deliveryId: delivery.id,
    watchId: delivery.watchId,
    url,
    ...attemptOf(sent, verdict.outcome === 'delivered', contentSeq),
    retryAt: verdict.outcome === 'retry' || verdict.outcome === 'gone' ? verdict.at : null,
    ...(verdict.outcome === 'gone' ? { gone: true } : {}),
  }
}

export function attemptOf(sent: SendResult, delivered: boolean, contentSeq: number | null): Omit<Attempt, 'number'> {
  const answered = sent.kind === 'answered'
  return {
    at: sent.startedAt,
    duration: sent.durationMs,
    outcome: delivered ? 'delivered' : failureOutcome(sent),
    statusCode: answered ? sent.status : null,
    contentSeq,
    answer: answered && sent.body !== '' ? sent.body : null,
    error: delivered ? null : sent.message,
  }
}

function failureOutcome(sent: SendResult): Attempt['outcome'] {
  if (sent.kind === 'answered') return 'refused'
  if (sent.failure === 'timeout') return 'timeout'
  return sent.failure === 'refused_address' ? 'blocked' : 'unreachable'
}

/** Ends a delivery without an attempt: what it would say is no longer true. */
export function cancellationOf(delivery: Pick<Delivery, 'id' | 'watchId'>, now: number): AttemptResult {
  return {
    deliveryId: delivery.id,
    watchId: delivery.watchId,
    url: '',
    at: now,
    duration: 0,
    outcome: 'cancelled',
    statusCode: null,
    contentSeq: null,
    answer: null,
    error: null,
    retryAt: null,
  }
}

interface WriteOptions {
  readonly owner: string
  readonly clock: () => number
  readonly runtime: Runtime
  readonly onError: (error: unknown) => void
}

interface AttemptRecorderOptions extends WriteOptions {
  readonly onRecorded: (results: readonly AttemptResult[], failing: readonly FailingWatch[]) => Promise<void>
}

const MAX_BATCH = 2000
/**
 * Results are written once there are this many or after `COLLECT_MS`: every write waits for the
 * disk, however few it holds. A crash in between sends a few messages a second time.
 */
const ENOUGH_RESULTS = 1000
const COLLECT_MS = 40
const RETRY_DELAY_MS = 500
/** After these, unrecorded deliveries are given up and sent a second time, with the same ids. */
const TRIES_WHEN_CLOSING = 4

/** Writes results in batches: while one batch is being written, the next is collected. */
export class AttemptRecorder implements AsyncDisposable {
  readonly #deliveries: Pick<Deliveries, 'recordAttempts'>
  readonly #options: AttemptRecorderOptions
  #pending: AttemptResult[] = []
  #running: Promise<void> | null = null
  #batchSize = MAX_BATCH
  #closing = false
  #closed = false
  #onEnough: () => void = () => {}
  #triesLeft = Number.POSITIVE_INFINITY

  constructor(deliveries: Pick<Deliveries, 'recordAttempts'>, options: AttemptRecorderOptions) {
    this.#deliveries = deliveries
    this.#options = options
  }

  get pending(): number {
    return this.#pending.length
  }

  addResult(result: AttemptResult): void {
    // The attempt was aborted by closing; its delivery has been released.
    if (this.#closed) return
    this.#pending.push(result)
    if (this.#pending.length >= ENOUGH_RESULTS) this.#onEnough()
    this.#running ??= this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#triesLeft = TRIES_WHEN_CLOSING
    this.#closing = true
    this.#onEnough()
    await this.#running
    this.#closed = true
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0 && this.#triesLeft > 0) {
      await this.#collect()
      const batch = this.#pending.slice(0, this.#batchSize)
      try {
        const failing = await this.#deliveries.recordAttempts(this.#options.owner, batch, this.#options.clock())
        this.#pending = this.#pending.slice(batch.length)
        this.#batchSize = MAX_BATCH
        await this.#options.onRecorded(batch, failing)
      } catch (error) {
        this.#options.onError(error)
        if (!(error instanceof StoreUnavailable)) this.#halveBatch(batch)
        this.#triesLeft--
        await sleep(this.#options.runtime, RETRY_DELAY_MS)
      }
    }
    this.#running = null
  }

  async #collect(): Promise<void> {
    if (this.#pending.length >= ENOUGH_RESULTS || this.#closing) return
    await new Promise<void>((resolve) => {
      const { runtime } = this.#options
      const timer = runtime.setTimeout(resolve, COLLECT_MS)
      this.#onEnough = () => {
        runtime.clear(timer)
        resolve()
      }
    })
  }

  /** Finds and drops a result that cannot be written, by halving the batch; unblocks the rest. */
  #halveBatch(batch: readonly AttemptResult[]): void {
    if (batch.length === 1 && this.#pending[0] === batch[0]) this.#pending.shift()
    this.#batchSize = Math.ceil(batch.length / 2)
  }
}

/** Few: a confirmation waits until a batch is written. */
const MAX_POSTPONED_BATCH = 100

/**
 * Gives leased deliveries back to the database in batches: those that would wait here for a watch
 * in trouble. Makes them due when the watch answers again.
 */
export class PostponedDeliveries implements AsyncDisposable {
  readonly #deliveries: Pick<Deliveries, 'postpone' | 'makeDueNow'>
  readonly #options: WriteOptions
  readonly #recovered = new Set<string>()
  #postponed: PostponedDelivery[] = []
  #running: Promise<void> | null = null

  constructor(deliveries: Pick<Deliveries, 'postpone' | 'makeDueNow'>, options: WriteOptions) {
    this.#deliveries = deliveries
    this.#options = options
  }

  postpone(postponed: PostponedDelivery): void {
    this.#postponed.push(postponed)
    this.#running ??= this.#run()
  }

  /** Makes the watch's postponed deliveries due. */
  makeDueNow(watchId: string): void {
    this.#recovered.add(watchId)
    this.#running ??= this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#running
  }

  async #run(): Promise<void> {
    // More arrive in the same turn of the event loop.
    await Promise.resolve()
    while (this.#postponed.length > 0 || this.#recovered.size > 0) {
      try {
        const batch = this.#postponed.splice(0, MAX_POSTPONED_BATCH)
        if (batch.length > 0) await this.#deliveries.postpone(this.#options.owner, batch)
        for (const watchId of this.#recovered) await this.#makeBatchDue(watchId)
      } catch (error) {
        // The leases expire, and postponed deliveries fall due at their time.
        this.#options.onError(error)
      }
    }
    this.#running = null
  }

  async #makeBatchDue(watchId: string): Promise<void> {
    this.#recovered.delete(watchId)
    const count = await this.#deliveries.makeDueNow(watchId, this.#options.clock(), MAX_POSTPONED_BATCH)
    // The next batch waits for its turn behind other watches.
    if (count === MAX_POSTPONED_BATCH) this.#recovered.add(watchId)
  }
}
