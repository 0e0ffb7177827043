import { RotatingQueue } from './queues.ts'
import type { Steps } from './steps.ts'

/** A request that arrives during a slice waits at most this long for it. */
const SLICE_MILLISECONDS = 4

interface Waiter {
  readonly start: () => void
}

/**
 * Shares the event loop among long computations: each turn of the loop has one slice, and subjects
 * take turns. However many computations run, other work waits for one slice only.
 */
export class EventLoopShare {
  readonly #waiting = new RotatingQueue<Waiter>()
  #scheduled = false
  #usedThisTurn = 0
  #resetScheduled = false

  /** Waits for a slice; throws the signal's reason if it is aborted before. */
  async nextSlice(subject: string, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.removeItem(subject, waiter)
        reject(signal!.reason as Error)
      }
      const waiter: Waiter = {
        start() {
          signal?.removeEventListener('abort', leave)
          resolve()
        },
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.#waiting.addItem(subject, waiter)
      this.#schedule()
    })
  }

  /**
   * Runs steps at once, as long as this turn has time left for such work; returns whether `step`
   * returned true, which ends it. All callers of one turn share that time: the requests of fifty
   * clients may arrive in the same turn.
   */
  runNow(step: () => boolean): boolean {
    if (this.#usedThisTurn >= SLICE_MILLISECONDS) return false
    const started = performance.now()
    const end = started + SLICE_MILLISECONDS - this.#usedThisTurn
    let now = started
    let done = false
    while (!done && now < end) {
      done = step()
      now = performance.now()
    }
    this.#usedThisTurn += now - started
    this.#resetNextTurn()
    return done
  }

  /** Runs steps for one slice; returns whether `step` returned true, which ends it. */
  runSlice(step: () => boolean): boolean {
    const end = performance.now() + SLICE_MILLISECONDS
    do {
      if (step()) return true
    } while (performance.now() < end)
    return false
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#waiting.takeNext()?.start()
      if (this.#waiting.size > 0) this.#schedule()
    })
  }

  #resetNextTurn(): void {
    if (this.#resetScheduled) return
    this.#resetScheduled = true
    setImmediate(() => {
      this.#resetScheduled = false
      this.#usedThisTurn = 0
    })
  }
}

/** One for the process, because all its computations share one event loop. */
export const eventLoopShare = new EventLoopShare()

/** Allows `max` steps per turn of the event loop, so that requests never wait for all steps. */
export class EventLoopBudget {
  readonly #max: number
  readonly #next: () => void
  #done = 0
  #over = false

  constructor(max: number, next: () => void) {
    this.#max = max
    this.#next = next
  }

  /** Returns whether another step may run in this turn; if not, calls `next` in the next turn. */
  tryStart(): boolean {
    if (this.#over) return false
    if (this.#done++ < this.#max) return true
    this.#over = true
    setImmediate(() => {
      this.#over = false
      this.#done = 0
      this.#next()
    })
    return false
  }
}

/** Runs a computation in slices of the event loop, which subjects take in turn. */
export async function runInSlices<Result>(
  steps: Steps<Result>,
  subject: string,
  signal?: AbortSignal,
): Promise<Result> {
  let result: IteratorResult<undefined, Result>
  const step = (): boolean => {
    result = steps.next()
    return result.done === true
  }
  do await eventLoopShare.nextSlice(subject, signal)
  while (!eventLoopShare.runSlice(step))
  return result!.value as Result
}

/** Shorter than a slice of the event loop: between two values, the receiver works as well. */
const RUN_MILLISECONDS = 2

/**
 * Yields the values and lets the event loop run every few milliseconds. All callers share the loop,
 * subject by subject: many downloads at once do not add up.
 */
export async function* inTimeSlices<Value>(
  values: Iterable<Value>,
  subject: string,
  signal?: AbortSignal,
): AsyncGenerator<Value> {
  await eventLoopShare.nextSlice(subject, signal)
  let started = performance.now()
  for (const value of values) {
    yield value
    if (performance.now() - started < RUN_MILLISECONDS) continue
    await eventLoopShare.nextSlice(subject, signal)
    started = performance.now()
  }
}
