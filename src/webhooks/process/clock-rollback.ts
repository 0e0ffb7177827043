import { WakeableSleep } from '../../lib/async/wakeable-sleep.ts'

export interface ClockRollbackOptions {
  readonly clock: () => number
  /** Milliseconds from wherever, that nobody can set. */
  readonly elapsed: () => number
  readonly lookEvery: number
  /** The clock shows so much less than it would have; where this rejects, it is told again. */
  readonly onSetBack: (by: number) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** A clock that is put right bit by bit strays less than this between two looks. */
const LEAST = 1000

/**
 * Notices that the clock was set back. Retries are planned by the clock: those planned before would wait for it to get there
 * again.
 */
export class ClockRollbackDetector implements AsyncDisposable {
  readonly #options: ClockRollbackOptions
  readonly #rest: WakeableSleep
  readonly #looking: Promise<void>
  /** The clock's time when `elapsed` was 0. */
  #origin: number

  constructor(options: ClockRollbackOptions) {
    this.#options = options
    this.#rest = new WakeableSleep(options.lookEvery)
    this.#origin = this.#originNow()
    this.#looking = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#rest.stop()
    await this.#looking
  }

  async #run(): Promise<void> {
    while (!this.#rest.stopped) {
      await this.#look().catch(this.#options.onError)
      await this.#rest.wait()
    }
  }

  async #look(): Promise<void> {
    const origin = this.#originNow()
    const by = Math.round(this.#origin - origin)
    if (by >= LEAST) await this.#options.onSetBack(by)
    this.#origin = origin
  }

  #originNow(): number {
    return this.#options.clock() - this.#options.elapsed()
  }
}
