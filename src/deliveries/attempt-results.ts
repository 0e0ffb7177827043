import { setTimeout as wait } from 'node:timers/promises'
import type { Attempt, Delivery, SendResult } from '../domain/delivery.ts'
import type { Verdict } from '../domain/retry.ts'
import { type AttemptResult, type Deliveries, type FailingWatch, StoreUnavailable } from '../store/store.ts'

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

interface AttemptRecorderOptions {
  readonly owner: string
  readonly clock: () => number
  readonly onRecorded: (results: readonly AttemptResult[], failing: readonly FailingWatch[]) => Promise<void>
  readonly onError: (error: unknown) => void
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
        await wait(RETRY_DELAY_MS)
      }
    }
    this.#running = null
  }

  async #collect(): Promise<void> {
    if (this.#pending.length >= ENOUGH_RESULTS || this.#closing) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, COLLECT_MS)
      this.#onEnough = () => {
        clearTimeout(timer)
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
