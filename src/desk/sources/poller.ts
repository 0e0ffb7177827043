import { WakeableSleep } from '../../lib/wakeable-sleep.ts'
import type { DueSource } from '../../store/store.ts'
import { type PollParts, pollSource } from './poll-source.ts'

export interface PollerOptions extends PollParts {
  /** Time between two looks at what is due, in milliseconds. */
  readonly intervalMs?: number
}

const INTERVAL_MS = 2_000
const MAX_AT_ONCE = 4
/** A process that ends without releasing the lease delays the polls by so much, at most. */
const LEASE_MS = 60_000
/** A poll that could not be recorded is not repeated at once: the server is not to be flooded. */
const RETRY_UNRECORDED_MS = 60_000

/** Polls the sources that are due, in one process at a time over all nodes. */
export class SourcePoller implements AsyncDisposable {
  readonly #options: PollerOptions
  readonly #sleep: WakeableSleep
  readonly #finished: Promise<void>
  readonly #stopping = new AbortController()
  readonly #running = new Map<string, Promise<void>>()
  /** Until when a source waits whose last poll could not be recorded. */
  readonly #unrecorded = new Map<string, number>()
  /** Ends the polls that run when the lease is lost. */
  #leased = new AbortController()
  #leasedUntil = 0

  constructor(options: PollerOptions) {
    this.#options = options
    this.#sleep = new WakeableSleep(options.intervalMs ?? INTERVAL_MS)
    this.#finished = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    this.#sleep.stop()
    await this.#finished
    await Promise.all(this.#running.values())
    const { store, owner, onError } = this.#options
    if (this.#leasedUntil > 0) await store.sources.release(owner).catch(onError)
  }

  async #run(): Promise<void> {
    while (!this.#sleep.stopped) {
      await this.#startPolls().catch(this.#options.onError)
      await this.#sleep.wait()
    }
  }

  async #startPolls(): Promise<void> {
    const { store, clock } = this.#options
    const waiting = this.#running.size + this.#unrecorded.size
    const due = await store.sources.due(clock(), MAX_AT_ONCE + waiting)
    if (due.length === 0 && this.#running.size === 0) return
    if (!(await this.#holdLease())) return
    for (const source of due)
      if (this.#running.size < MAX_AT_ONCE && this.#mayStart(source, clock())) this.#start(source)
  }

  /** Extends the lease when half of it is over. */
  async #holdLease(): Promise<boolean> {
    const { store, owner, clock } = this.#options
    const now = clock()
    if (now < this.#leasedUntil - LEASE_MS / 2) return true
    if (await store.sources.lease(owner, now, now + LEASE_MS)) {
      this.#leasedUntil = now + LEASE_MS
      return true
    }
    this.#leased.abort()
    this.#leased = new AbortController()
    this.#leasedUntil = 0
    return false
  }

  #mayStart({ id }: DueSource, now: number): boolean {
    return !this.#sleep.stopped && !this.#running.has(id) && now >= (this.#unrecorded.get(id) ?? 0)
  }

  #start(source: DueSource): void {
    const { clock, onError } = this.#options
    const signal = AbortSignal.any([this.#stopping.signal, this.#leased.signal])
    const polled = pollSource(source, this.#options, signal)
      .then(
        () => {
          this.#unrecorded.delete(source.id)
          this.#sleep.wake()
        },
        (error: unknown) => {
          if (signal.aborted) return
          this.#unrecorded.set(source.id, clock() + RETRY_UNRECORDED_MS)
          onError(error)
        },
      )
      .finally(() => this.#running.delete(source.id))
    this.#running.set(source.id, polled)
  }
}
