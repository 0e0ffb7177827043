import { setTimeout as wait } from 'node:timers/promises'
import { type AttemptResult, type Deliveries, type FailingWatch, StoreUnavailable } from '../../store/store.ts'

export interface AttemptRecorderOptions {
  readonly owner: string
  readonly clock: () => number
  readonly onRecorded: (results: readonly AttemptResult[], failing: readonly FailingWatch[]) => Promise<void>
  readonly onError: (error: unknown) => void
}

const BATCH = 2000
/**
 * Every write waits for the disk, whether it holds ten results or a thousand: so more are waited for, a little. Nobody waits
 * with them; a crash in that time sends a few messages once more.
 */
const ENOUGH = 1000
const GATHER_FOR = 40
const RETRY_AFTER = 500
/** When stopping, a database that stays away is not waited for: the deliveries will be sent once more, under the same ids. */
const LAST_TRIES = 4

/** Writes results down many at a time: while one batch is on its way to the disk, the next gathers. */
export class AttemptRecorder implements AsyncDisposable {
  readonly #deliveries: Pick<Deliveries, 'recordAttempts'>
  readonly #options: AttemptRecorderOptions
  #gathered: AttemptResult[] = []
  #running: Promise<void> | null = null
  #size = BATCH
  #closing = false
  #closed = false
  #isEnough: () => void = () => {}
  #triesLeft = Number.POSITIVE_INFINITY

  constructor(deliveries: Pick<Deliveries, 'recordAttempts'>, options: AttemptRecorderOptions) {
    this.#deliveries = deliveries
    this.#options = options
  }

  get pending(): number {
    return this.#gathered.length
  }

  addResult(result: AttemptResult): void {
    // An attempt that was broken off: its delivery has been let go.
    if (this.#closed) return
    this.#gathered.push(result)
    if (this.#gathered.length >= ENOUGH) this.#isEnough()
    this.#running ??= this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#triesLeft = LAST_TRIES
    this.#closing = true
    this.#isEnough()
    await this.#running
    this.#closed = true
  }

  async #run(): Promise<void> {
    while (this.#gathered.length > 0 && this.#triesLeft > 0) {
      await this.#gather()
      const batch = this.#gathered.slice(0, this.#size)
      try {
        const failing = await this.#deliveries.recordAttempts(this.#options.owner, batch, this.#options.clock())
        this.#gathered = this.#gathered.slice(batch.length)
        this.#size = BATCH
        await this.#options.onRecorded(batch, failing)
      } catch (error) {
        this.#options.onError(error)
        if (!(error instanceof StoreUnavailable)) this.#narrow(batch)
        this.#triesLeft--
        await wait(RETRY_AFTER)
      }
    }
    this.#running = null
  }

  async #gather(): Promise<void> {
    if (this.#gathered.length >= ENOUGH || this.#closing) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_FOR)
      this.#isEnough = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  /** One result that cannot be written must not keep all others from it: it is looked for by halves, and left out. */
  #narrow(batch: readonly AttemptResult[]): void {
    if (batch.length === 1 && this.#gathered[0] === batch[0]) this.#gathered.shift()
    this.#size = Math.ceil(batch.length / 2)
  }
}
