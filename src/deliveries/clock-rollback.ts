import { WakeableSleep } from '../lib/wakeable-sleep.ts'

interface ClockRollbackOptions {
  readonly clock: () => number
  /** A monotonic clock, in milliseconds. */
  readonly elapsed: () => number
  readonly intervalMs: number
  /** Called with the milliseconds by which the clock was set back; again if it rejects. */
  readonly onRollback: (by: number) => Promise<void>
  readonly onError: (error: unknown) => void
}

/** Gradual clock corrections change less than this between two checks. */
const MIN_ROLLBACK_MS = 1000

/** Detects that the system clock was set back: scheduled retries would wait that much longer. */
export class ClockRollbackDetector implements AsyncDisposable {
  readonly #options: ClockRollbackOptions
  readonly #sleep: WakeableSleep
  readonly #finished: Promise<void>
  /** The clock's time when `elapsed` was 0. */
  #origin: number

  constructor(options: ClockRollbackOptions) {
    this.#options = options
    this.#sleep = new WakeableSleep(options.intervalMs)
    this.#origin = this.#currentOrigin()
    this.#finished = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#sleep.stop()
    await this.#finished
  }

  async #run(): Promise<void> {
    while (!this.#sleep.stopped) {
      await this.#check().catch(this.#options.onError)
      await this.#sleep.wait()
    }
  }

  async #check(): Promise<void> {
    const origin = this.#currentOrigin()
    const by = Math.round(this.#origin - origin)
    if (by >= MIN_ROLLBACK_MS) await this.#options.onRollback(by)
    this.#origin = origin
  }

  #currentOrigin(): number {
    return this.#options.clock() - this.#options.elapsed()
  }
}
