import { type Runtime, stopwatch } from './runtime.ts'
import type { Steps } from './steps.ts'

/** Runs at most `max` tasks at once; the others wait in call order. */
export class Semaphore {
  readonly #waiting: (() => void)[] = []
  #free: number

  constructor(max: number) {
    this.#free = max
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }
}

interface Run<Result> {
  readonly result: Promise<Result>
  readonly stop: (reason: unknown) => void
  waiting: number
}

/** Joins callers that ask for the same at the same time: one run, stopped once all have left. */
export class SharedRuns<Result> {
  readonly #runs = new Map<string, Run<Result>>()

  /**
   * Runs `start`, or waits for the run with the same key. `signal` is called only to wait; when it
   * is aborted, the caller leaves.
   */
  join(
    key: string,
    signal: () => AbortSignal,
    start: (signal: () => AbortSignal) => Result | Promise<Result>,
  ): Result | Promise<Result> {
    const running = this.#runs.get(key)
    if (running !== undefined) return this.#wait(key, running, signal())
    let controller: AbortController | null = null
    const stopper = () => {
      controller ??= new AbortController()
      return controller
    }
    const result = start(() => stopper().signal)
    if (!(result instanceof Promise)) return result
    const run: Run<Result> = { result, stop: (reason) => stopper().abort(reason), waiting: 0 }
    this.#runs.set(key, run)
    const forget = () => this.#forget(key, run)
    result.then(forget, forget)
    return this.#wait(key, run, signal())
  }

  async #wait(key: string, run: Run<Result>, signal: AbortSignal): Promise<Result> {
    run.waiting++
    const { promise, reject } = Promise.withResolvers<never>()
    const leave = () => {
      reject(signal.reason)
      if (--run.waiting > 0) return
      this.#forget(key, run)
      run.stop(signal.reason)
    }
    if (signal.aborted) leave()
    else signal.addEventListener('abort', leave, { once: true })
    try {
      return await Promise.race([run.result, promise])
    } finally {
      signal.removeEventListener('abort', leave)
    }
  }

  #forget(key: string, run: Run<Result>): void {
    if (this.#runs.get(key) === run) this.#runs.delete(key)
  }
}

/**
 * A value that is read at most once in `maxAgeMs`, however many ask for it. Those who ask while it
 * is being read wait for the same result. A failure is kept as long: a flood of questions must not
 * become a flood of attempts.
 */
export class CachedReading<Value> {
  readonly #read: () => Promise<Value>
  readonly #maxAgeMs: number
  readonly #elapsed: () => number
  #last: { readonly at: number; readonly value: Promise<Value> } | null = null

  /** `elapsed` is a monotonic clock, in milliseconds. */
  constructor(read: () => Promise<Value>, maxAgeMs: number, elapsed: () => number) {
    this.#read = read
    this.#maxAgeMs = maxAgeMs
    this.#elapsed = elapsed
  }

  get(): Promise<Value> {
    const now = this.#elapsed()
    if (this.#last === null || now - this.#last.at >= this.#maxAgeMs) this.#last = { at: now, value: this.#read() }
    return this.#last.value
  }
}

/** The pause of a polling loop. `wake` ends it early, even if called before it began. */
export class WakeableSleep {
  readonly #intervalMs: number
  readonly #runtime: Runtime
  #woken = false
  #stopped = false
  #wake: () => void = () => {}

  constructor(intervalMs: number, runtime: Runtime) {
    this.#intervalMs = intervalMs
    this.#runtime = runtime
  }

  get stopped(): boolean {
    return this.#stopped
  }

  /** Forgets earlier calls of `wake`: the work that starts here covers them. */
  clearWake(): void {
    this.#woken = false
  }

  wake(): void {
    this.#woken = true
    this.#wake()
  }

  stop(): void {
    this.#stopped = true
    this.#wake()
  }

  async wait(): Promise<void> {
    if (this.#woken || this.#stopped) {
      this.#woken = false
      return
    }
    await new Promise<void>((resolve) => {
      const timer = this.#runtime.setTimeout(resolve, this.#intervalMs)
      this.#wake = () => {
        this.#runtime.clear(timer)
        resolve()
      }
    })
    this.#woken = false
  }
}

/**
 * The address of a module for a worker thread: `.ts` in a clone, where Node runs the sources, and
 * `.js` in an installed package. The compiler rewrites imports but not addresses.
 */
export function moduleBeside(name: `./${string}.ts`, moduleUrl: string): URL {
  return new URL(moduleUrl.endsWith('.ts') ? name : name.replace(/\.ts$/, '.js'), moduleUrl)
}

/**
 * A set whose entries leave in the order in which they came; one that is added again keeps its
 * place. `Set.values().next()` does the same, but steps over every entry deleted so far: with one
 * iterator for all, each is passed once.
 */
export class FirstInFirstOut<Entry extends object> {
  readonly #entries = new Set<Entry>()
  #iterator = this.#entries.values()

  get size(): number {
    return this.#entries.size
  }

  has(entry: Entry): boolean {
    return this.#entries.has(entry)
  }

  add(entry: Entry): void {
    this.#entries.add(entry)
  }

  delete(entry: Entry): boolean {
    return this.#entries.delete(entry)
  }

  /** Removes and returns the first entry; null if there is none. */
  shift(): Entry | null {
    let next = this.#iterator.next()
    if (next.done) {
      // An iterator that has reached the end does not see what is added later.
      this.#iterator = this.#entries.values()
      next = this.#iterator.next()
      if (next.done) return null
    }
    this.#entries.delete(next.value)
    return next.value
  }

  clear(): void {
    this.#entries.clear()
  }
}

/** Waiting items by subject. Subjects take turns; the items of one subject are in order. */
export class RotatingQueue<Item> {
  /** The subject whose turn is next comes first. */
  readonly #bySubject = new Map<string, Item[]>()
  #size = 0

  get size(): number {
    return this.#size
  }

  sizeOf(subject: string): number {
    return this.#bySubject.get(subject)?.length ?? 0
  }

  addItem(subject: string, item: Item): void {
    const items = this.#bySubject.get(subject)
    if (items === undefined) this.#bySubject.set(subject, [item])
    else items.push(item)
    this.#size++
  }

  /** Takes the first item of the next subject that may have a turn; undefined if none may. */
  takeNext(mayHaveTurn: (subject: string) => boolean = () => true): Item | undefined {
    for (const [subject, items] of this.#bySubject) {
      if (!mayHaveTurn(subject)) continue
      const item = items.shift()!
      this.#bySubject.delete(subject)
      if (items.length > 0) this.#bySubject.set(subject, items)
      this.#size--
      return item
    }
    return undefined
  }

  removeItem(subject: string, item: Item): void {
    const items = this.#bySubject.get(subject)
    const index = items?.indexOf(item) ?? -1
    if (items === undefined || index < 0) return
    items.splice(index, 1)
    if (items.length === 0) this.#bySubject.delete(subject)
    this.#size--
  }
}

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
    const started = stopwatch()
    const end = started + SLICE_MILLISECONDS - this.#usedThisTurn
    let now = started
    let done = false
    while (!done && now < end) {
      done = step()
      now = stopwatch()
    }
    this.#usedThisTurn += now - started
    this.#resetNextTurn()
    return done
  }

  /** Runs steps for one slice; returns whether `step` returned true, which ends it. */
  runSlice(step: () => boolean): boolean {
    const end = stopwatch() + SLICE_MILLISECONDS
    do {
      if (step()) return true
    } while (stopwatch() < end)
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
  let started = stopwatch()
  for (const value of values) {
    yield value
    if (stopwatch() - started < RUN_MILLISECONDS) continue
    await eventLoopShare.nextSlice(subject, signal)
    started = stopwatch()
  }
}
