import type { Archive } from '../archive/archive.ts'
import type { AppliedEvent } from '../archive/recent-changes.ts'
import { WakeableSleep } from '../lib/async/wakeable-sleep.ts'
import { type EventLog, StoreUnavailable } from '../store/store.ts'
import type { Freshness } from './freshness.ts'

const BATCH_SIZE = 2000

export interface FollowOptions {
  /** Told whenever the archive contains the whole log. */
  readonly freshness: Freshness
  /** Milliseconds to wait for a notification before polling. */
  readonly pollEvery: number
  readonly onEvents?: (events: readonly AppliedEvent[]) => void
  /** Receives failures to read the log; the follower retries by itself. */
  readonly onError: (error: unknown) => void
}

/** Applies the events of the log to an archive, on every node. */
export class Follower implements AsyncDisposable {
  readonly #archive: Archive
  readonly #log: EventLog
  readonly #options: FollowOptions
  readonly #sleep: WakeableSleep
  readonly #stopListening: () => void
  readonly #finished: Promise<void>
  constructor(archive: Archive, log: EventLog, options: FollowOptions) {
    this.#archive = archive
    this.#log = log
    this.#options = options
    this.#sleep = new WakeableSleep(options.pollEvery)
    this.#stopListening = log.onAppend(() => this.#sleep.wake())
    this.#finished = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopListening()
    this.#sleep.stop()
    await this.#finished
  }

  async #run(): Promise<void> {
    while (!this.#sleep.stopped) {
      try {
        await this.#catchUp()
      } catch (error) {
        this.#options.onError(error)
        // Other failures than an unavailable store are bugs; an immediate retry would repeat them.
        if (!(error instanceof StoreUnavailable)) this.#sleep.clearWake()
      }
      await this.#sleep.wait()
    }
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      this.#sleep.clearWake()
      const startedAt = this.#options.freshness.currentMoment()
      const events = await this.#log.after(this.#archive.head.seq, BATCH_SIZE)
      if (this.#sleep.stopped) return
      if (events.length > 0) {
        const applied = this.#archive.apply(events)
        this.#options.onEvents?.(applied)
      }
      if (events.length < BATCH_SIZE) {
        this.#options.freshness.recordInStep(startedAt)
        return
      }
      // Let requests in between batches of a long backlog.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
