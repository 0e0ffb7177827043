const MAX_WINDOWS = 100_000
/** More than one, so that ended windows are removed faster than others are added. */
const REMOVED_PER_ADDITION = 4

/** Each caller's current window. The maximum guards against callers with ever new addresses. */
export class QuotaWindows<Window extends { readonly endsAt: number }> {
  /** In the order of addition, so those that end first come first. */
  readonly #windows = new Map<string, Window>()
  readonly #windowMs: number

  constructor(windowMs: number) {
    this.#windowMs = windowMs
  }

  get size(): number {
    return this.#windows.size
  }

  /** Undefined if the caller has no window, or its window has ended. */
  current(caller: string, now: number): Window | undefined {
    const window = this.#windows.get(caller)
    return window !== undefined && this.isCurrent(window, now) ? window : undefined
  }

  /** False if another window would take the place of one that has not ended. */
  hasRoom(now: number): boolean {
    this.#removeEnded(now)
    return this.#windows.size < MAX_WINDOWS
  }

  /** Removes the oldest window if there are too many: memory is more important than its quota. */
  set(caller: string, window: Window, now: number): void {
    this.#removeEnded(now)
    this.#windows.delete(caller)
    this.#windows.set(caller, window)
    if (this.#windows.size > MAX_WINDOWS) this.#windows.delete(this.#windows.keys().next().value!)
  }

  /** Whole seconds until the window ends. */
  secondsLeft({ endsAt }: Window, now: number): number {
    return Math.ceil(Math.max(0, Math.min(this.#windowMs, endsAt - now)) / 1000)
  }

  /**
   * Ignores windows far ahead: a clock that was set back must not lock callers out. One extra
   * length is allowed for another node's clock that is ahead.
   */
  isCurrent({ endsAt }: Window, now: number): boolean {
    return now < endsAt && endsAt - now <= 2 * this.#windowMs
  }

  /** A few at a time: removing all at once would hold up every other request. */
  #removeEnded(now: number): void {
    let left = REMOVED_PER_ADDITION
    for (const [caller, window] of this.#windows) {
      if (left-- === 0 || this.isCurrent(window, now)) return
      this.#windows.delete(caller)
    }
  }
}
