import { QuotaWindows } from './quota-windows.ts'

export const MINUTE_MS = 60_000

export interface Allowance {
  readonly allowed: boolean
  readonly remaining: number
  /** Whole seconds until the next window. */
  readonly resetsIn: number
}

/** Limits each caller's requests on this node. A window starts with its first request. */
export class RateLimiter {
  readonly #windows: QuotaWindows<{ endsAt: number; used: number }>
  readonly #windowMs: number

  constructor(windowMs = MINUTE_MS) {
    this.#windowMs = windowMs
    this.#windows = new QuotaWindows(windowMs)
  }

  get size(): number {
    return this.#windows.size
  }

  consume(caller: string, limit: number, now: number): Allowance {
    let window = this.#windows.current(caller, now)
    if (window === undefined) {
      window = { endsAt: now + this.#windowMs, used: 0 }
      this.#windows.set(caller, window, now)
    }
    const allowed = window.used < limit
    if (allowed) window.used++
    return { allowed, remaining: limit - window.used, resetsIn: this.#windows.secondsLeft(window, now) }
  }
}
