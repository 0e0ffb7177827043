import { Problem } from '../domain/errors.ts'
import { type EventLoopShare, eventLoopShare, RotatingQueue } from '../lib/concurrency.ts'
import type { Steps } from '../lib/steps.ts'
import type { Archive, ArchiveView } from './archive.ts'

/** The one who asks: large questions of different subjects share the processor equally. */
export interface Asker {
  readonly subject: string
  /** Aborted when the client has gone. A function: small questions need no signal. */
  signal(): AbortSignal
}

/**
 * Steps that every question may take at once, without a look at the clock: most lists need no more,
 * and these take a fraction of a millisecond.
 */
const FREE_STEPS = 4

/**
 * Answers questions to the archive without holding up the event loop: small ones at once, large
 * ones in slices, on the archive as it was when they began.
 */
export class SlicedQueries {
  readonly #admission = new Admission()
  readonly #share: EventLoopShare

  constructor(share: EventLoopShare = eventLoopShare) {
    this.#share = share
  }

  /** Returns a promise only for a large question. `ask` may be called again, after a wait. */
  run<Result>(archive: Archive, asker: Asker, ask: (view: ArchiveView) => Steps<Result>): Result | Promise<Result> {
    const progress = new Progress(ask(archive.view))
    for (let step = 0; step < FREE_STEPS; step++) if (progress.step()) return progress.result
    if (this.#share.runNow(progress.step)) return progress.result
    return this.#finish(archive, asker, ask, progress)
  }

  async #finish<Result>(
    archive: Archive,
    asker: Asker,
    ask: (view: ArchiveView) => Steps<Result>,
    begun: Progress<Result>,
  ): Promise<Result> {
    const { subject } = asker
    const gone = asker.signal()
    let progress = begun
    if (!this.#admission.tryEnter(subject)) {
      // Start again when it is admitted: a waiting question must hold neither sums nor a pin.
      await this.#admission.enter(subject, gone)
      progress = new Progress(ask(archive.view))
    }
    const pin = archive.pin()
    try {
      do await this.#share.nextSlice(subject, gone)
      while (!this.#share.runSlice(progress.step))
      return progress.result
    } finally {
      pin[Symbol.dispose]()
      this.#admission.leave(subject)
    }
  }
}

class Progress<Result> {
  readonly #steps: Steps<Result>
  #result: Result | undefined

  constructor(steps: Steps<Result>) {
    this.#steps = steps
  }

  /** Valid once `step` has returned true. */
  get result(): Result {
    return this.#result as Result
  }

  /** Returns whether this was the last step. */
  readonly step = (): boolean => {
    const { done, value } = this.#steps.next()
    if (done) this.#result = value
    return done === true
  }
}

/** Each running question holds up to some megabytes of sums. */
const MAX_RUNNING = 32
export const MAX_RUNNING_PER_SUBJECT = 4
export const MAX_WAITING = 1000
export const MAX_WAITING_PER_SUBJECT = 100

interface Waiter {
  readonly subject: string
  readonly admit: () => void
}

/** Admits a few large questions at a time, fewer of each subject; the others wait in rotation. */
export class Admission {
  readonly #running = new Map<string, number>()
  readonly #waiting = new RotatingQueue<Waiter>()
  #total = 0

  /** Returns whether the question may run now; if so, `leave` must be called when it ends. */
  tryEnter(subject: string): boolean {
    if (!this.#hasPlace(subject)) return false
    this.#enter(subject)
    return true
  }

  /** Waits for a place. Throws a `Problem` if too many wait, or the signal's reason. */
  async enter(subject: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#waiting.size >= MAX_WAITING || this.#waiting.sizeOf(subject) >= MAX_WAITING_PER_SUBJECT)
      throw new Problem('busy', 'Too many questions that read much of the archive are waiting. Try again in 2 s.', {
        headers: { 'retry-after': '2' },
      })
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.removeItem(subject, waiter)
        reject(signal.reason as Error)
      }
      const waiter: Waiter = {
        subject,
        admit() {
          signal.removeEventListener('abort', giveUp)
          resolve()
        },
      }
      signal.addEventListener('abort', giveUp, { once: true })
      this.#waiting.addItem(subject, waiter)
    })
  }

  leave(subject: string): void {
    const left = this.#running.get(subject)! - 1
    if (left === 0) this.#running.delete(subject)
    else this.#running.set(subject, left)
    this.#total--
    const next = this.#waiting.takeNext((waiting) => this.#hasPlace(waiting))
    if (next === undefined) return
    this.#enter(next.subject)
    next.admit()
  }

  #hasPlace(subject: string): boolean {
    return this.#total < MAX_RUNNING && (this.#running.get(subject) ?? 0) < MAX_RUNNING_PER_SUBJECT
  }

  #enter(subject: string): void {
    this.#running.set(subject, (this.#running.get(subject) ?? 0) + 1)
    this.#total++
  }
}
