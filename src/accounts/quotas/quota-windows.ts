const MOST_WINDOWS = 200_000

/** Each caller's window, until it ends; only so many, whoever sends from ever new addresses. */
export class QuotaWindows<Window extends { readonly endsAt: number }> {
  readonly #windows = new Map<string, Window>()
  readonly #length: number
  #sweptAt = 0

  /** `length` of a window, in milliseconds. */
  constructor(length: number) {
    this.#length = length
  }

  get size(): number {
    return this.#windows.size
  }

  running(caller: string, now: number): Window | undefined {
    const window = this.#windows.get(caller)
    return window !== undefined && this.#isRunning(window, now) ? window : undefined
  }

  set(caller: string, window: Window, now: number): void {
    this.#sweep(now)
    this.#windows.set(caller, window)
  }

  /** Whole seconds until the window ends. */
  secondsLeft({ endsAt }: Window, now: number): number {
    return Math.ceil(Math.max(0, Math.min(this.#length, endsAt - now)) / 1000)
  }

  /** A clock set back must not lock callers out until it has caught up; another node's may be a little ahead. */
  #isRunning({ endsAt }: Window, now: number): boolean {
    return now < endsAt && endsAt - now <= 2 * this.#length
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < this.#length && now >= this.#sweptAt && this.#windows.size < MOST_WINDOWS) return
    this.#sweptAt = now
    for (const [caller, window] of this.#windows) if (!this.#isRunning(window, now)) this.#windows.delete(caller)
    // Still too many within one window: memory comes first.
    if (this.#windows.size >= MOST_WINDOWS) this.#windows.clear()
  }
}
