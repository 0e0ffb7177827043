/** A node reads the log every second; above this it says that it is behind. */
const BEHIND_AFTER_MS = 5_000
/** A cached response gets a new time no more often: each time copies the response. */
const STAMP_EVERY_MS = 4_000

interface Moment {
  readonly at: string
  readonly elapsed: number
}

export interface Clocks {
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

  /** When the archive was last known to contain the whole log, as an ISO time. */
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
