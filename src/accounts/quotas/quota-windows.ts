const MAX_WINDOWS = 200_000

/**
 * Each caller's current window. Not a `BoundedCache`: windows are removed when they end; the
 * maximum only guards against callers with ever new addresses.
 */
export class QuotaWindows<Window extends { readonly endsAt: number }> {
  readonly #windows = new Map<string, Window>()
  readonly #windowMs: number
  #sweptAt = 0

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  get size(): number {
    return this.#windows.size
  }

  /** Undefined if the caller has no window, or its window has ended. */
  current(caller: string, now: number): Window | undefined {
    const window = this.#windows.get(caller)
    return window !== undefined && this.#isCurrent(window, now) ? window : undefined
  }

  set(caller: string, window: Window, now: number): void {
    this.#sweep(now)
    this.#windows.set(caller, window)
  }

  /** Whole seconds until the window ends. */
  secondsLeft({ endsAt }: Window, now: number): number {
    return Math.ceil(Math.max(0, Math.min(this.#windowMs, endsAt - now)) / 1000)
  }

  /**
   * Ignores windows far ahead: a clock that was set back must not lock callers out. One extra
   * length is allowed for another node's clock that is ahead.
   */
  #isCurrent({ endsAt }: Window, now: number): boolean {
    return now < endsAt && endsAt - now <= 2 * this.#windowMs
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < this.#windowMs && now >= this.#sweptAt && this.#windows.size < MAX_WINDOWS) return
    this.#sweptAt = now
    for (const [caller, window] of this.#windows) if (!this.#isCurrent(window, now)) this.#windows.delete(caller)
    // Too many current windows: limiting memory is more important than limiting requests.
    if (this.#windows.size >= MAX_WINDOWS) this.#windows.clear()
  }
}
