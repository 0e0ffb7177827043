import type { AppliedEvent, Archive } from '../archive/archive.ts'
import { WakeableSleep } from '../lib/wakeable-sleep.ts'
import { type EventLog, StoreUnavailable } from '../store/store.ts'

const BATCH_SIZE = 2000

interface FollowOptions {
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

/** A node reads the log every second; above this it says that it is behind. */
const BEHIND_AFTER_MS = 5_000
/** A cached response gets a new time no more often: each time copies the response. */
const STAMP_EVERY_MS = 4_000

interface Moment {
  readonly at: string
  readonly elapsed: number
}

interface Clocks {
  readonly clock: () => number
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number
}

/** Knows when the archive of this node was last in step with the log. */
export class Freshness {
  readonly #clocks: Clocks
  #inStep: Moment
  #stamp: Moment
  #since: string

  constructor(clocks: Clocks) {
    this.#clocks = clocks
    this.#inStep = this.currentMoment()
    this.#stamp = this.#inStep
    this.#since = this.#inStep.at
  }

  /** The last time at which the archive was known to contain the whole log, in ISO form. */
  get inStepAt(): string {
    return this.#inStep.at
  }

  /** The same for cached responses: while the archive is in step, up to some seconds earlier. */
  get stamp(): string {
    return this.behindMs > BEHIND_AFTER_MS ? this.#inStep.at : this.#stamp.at
  }

  /**
   * Since when the archive has been in step without a break, as an ISO time; null while it is not.
   */
  get inStepSince(): string | null {
    return this.behindMs > BEHIND_AFTER_MS ? null : this.#since
  }

  /**
   * Milliseconds since `inStepAt`, by the monotonic clock: setting the other one makes no feed
   * stale.
   */
  get behindMs(): number {
    return this.#clocks.elapsed() - this.#inStep.elapsed
  }

  /** Whole seconds since then; null while the archive is in step. */
  get staleSeconds(): number | null {
    const behind = this.behindMs
    return behind > BEHIND_AFTER_MS ? Math.floor(behind / 1000) : null
  }

  currentMoment(): Moment {
    return { at: new Date(this.#clocks.clock()).toISOString(), elapsed: this.#clocks.elapsed() }
  }

  /** Records that the archive contains everything that was in the log at that moment. */
  recordInStep(moment: Moment): void {
    if (moment.elapsed - this.#inStep.elapsed > BEHIND_AFTER_MS) this.#since = moment.at
    this.#inStep = moment
    if (moment.elapsed - this.#stamp.elapsed >= STAMP_EVERY_MS) this.#stamp = moment
  }
}
