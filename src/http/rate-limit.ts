const WINDOW = 60_000
const MOST_WINDOWS = 200_000

export interface Allowance {
  readonly allowed: boolean
  readonly remaining: number
  /** Whole seconds until the window begins anew. */
  readonly resetsIn: number
}

interface Window {
  startedAt: number
  used: number
}

/** So many requests in each window of a minute, counted for each caller. The window starts with its first request. */
export class RateLimiter {
  readonly #windows = new Map<string, Window>()
  readonly #length: number
  #sweptAt = 0

  constructor(length = WINDOW) {
    this.#length = length
  }

  get size(): number {
    return this.#windows.size
  }

  take(caller: string, limit: number, now: number): Allowance {
    this.#sweep(now)
    let window = this.#windows.get(caller)
    // A clock set back must not lock callers out until it has caught up.
    if (window === undefined || now - window.startedAt >= this.#length || now < window.startedAt) {
      window = { startedAt: now, used: 0 }
      this.#windows.set(caller, window)
    }
    const allowed = window.used < limit
    if (allowed) window.used++
    return {
      allowed,
      remaining: limit - window.used,
      resetsIn: Math.ceil((window.startedAt + this.#length - now) / 1000),
    }
  }

  #sweep(now: number): void {
    if (now - this.#sweptAt < this.#length && now >= this.#sweptAt && this.#windows.size < MOST_WINDOWS) return
    this.#sweptAt = now
    for (const [caller, { startedAt }] of this.#windows) {
      if (now - startedAt >= this.#length || now < startedAt) this.#windows.delete(caller)
    }
    // Still too many within one window: somebody sends from ever new addresses. Memory comes first.
    if (this.#windows.size >= MOST_WINDOWS) this.#windows.clear()
  }
}
