import { QuotaWindows } from './quota-windows.ts'

export const MINUTE = 60_000

export interface Allowance {
  readonly allowed: boolean
  readonly remaining: number
  /** Whole seconds until the window begins anew. */
  readonly resetsIn: number
}

/** So many requests in each window of a minute, counted for each caller. The window starts with its first request. */
export class RateLimiter {
  readonly #windows: QuotaWindows<{ endsAt: number; used: number }>
  readonly #length: number

  constructor(length = MINUTE) {
    this.#length = length
    this.#windows = new QuotaWindows(length)
  }

  get size(): number {
    return this.#windows.size
  }

  consume(caller: string, limit: number, now: number): Allowance {
    let window = this.#windows.running(caller, now)
    if (window === undefined) {
      window = { endsAt: now + this.#length, used: 0 }
      this.#windows.set(caller, window, now)
    }
    const allowed = window.used < limit
    if (allowed) window.used++
    return { allowed, remaining: limit - window.used, resetsIn: this.#windows.secondsLeft(window, now) }
  }
}
