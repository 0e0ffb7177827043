import { type EventLoopShare, eventLoopShare } from '../../lib/async/event-loop-share.ts'
import type { Steps } from '../../lib/async/steps.ts'
import type { Archive } from '../archive.ts'
import type { ArchiveView } from '../snapshots/archive-view.ts'
import { Admission } from './admission.ts'

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
