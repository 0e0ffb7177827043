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
  constructor(read: () => Promise<Value>, maxAgeMs: number, elapsed: () => number = () => performance.now()) {
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
  #woken = false
  #stopped = false
  #wake: () => void = () => {}

  constructor(intervalMs: number) {
    this.#intervalMs = intervalMs
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
      const timer = setTimeout(resolve, this.#intervalMs)
      this.#wake = () => {
        clearTimeout(timer)
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
