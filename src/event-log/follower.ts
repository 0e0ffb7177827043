import type { Archive } from '../archive/archive.ts'
import type { AppliedEvent } from '../archive/recent-changes.ts'
import { type EventLog, StoreUnavailable } from '../store/store.ts'

const BATCH = 2000

export interface FollowOptions {
  readonly clock: () => number
  /** How long to wait for a wake-up before looking anyway, in milliseconds. */
  readonly pollEvery: number
  readonly onEvents?: (events: readonly AppliedEvent[]) => void
  /** The store cannot be read; the follower tries again by itself. */
  readonly onError: (error: unknown) => void
}

/** Keeps an archive in step with the log, on every node. */
export class Follower implements AsyncDisposable {
  readonly #archive: Archive
  readonly #log: EventLog
  readonly #options: FollowOptions
  readonly #stopListening: () => void
  readonly #finished: Promise<void>
  #inStepAt: number
  #wake: () => void = () => {}
  #woken = false
  #stopped = false

  constructor(archive: Archive, log: EventLog, options: FollowOptions) {
    this.#archive = archive
    this.#log = log
    this.#options = options
    this.#inStepAt = options.clock()
    this.#stopListening = log.onAppend(() => this.#awaken())
    this.#finished = this.#run()
  }

  /** When the archive was last known to hold everything in the log. */
  get inStepAt(): number {
    return this.#inStepAt
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    this.#stopListening()
    this.#awaken()
    await this.#finished
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      try {
        await this.#catchUp()
      } catch (error) {
        this.#options.onError(error)
        // Anything but an absent store is a fault of ours; looking again at once would only repeat it.
        if (!(error instanceof StoreUnavailable)) this.#woken = false
      }
      await this.#rest()
    }
  }

  async #catchUp(): Promise<void> {
    for (;;) {
      this.#woken = false
      const asked = this.#options.clock()
      const events = await this.#log.after(this.#archive.head.seq, BATCH)
      if (this.#stopped) return
      if (events.length > 0) {
        const taken = this.#archive.apply(events)
        this.#options.onEvents?.(taken)
      }
      if (events.length < BATCH) {
        this.#inStepAt = asked
        return
      }
      // A long run of events must not keep requests waiting.
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async #rest(): Promise<void> {
    if (this.#woken || this.#stopped) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, this.#options.pollEvery)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #awaken(): void {
    this.#woken = true
    this.#wake()
  }
}
