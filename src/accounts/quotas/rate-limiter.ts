import { hash, randomBytes } from 'node:crypto'
import { QuotaWindows } from './quota-windows.ts'

export const MINUTE_MS = 60_000
/** Used by callers that come when there are too many to count each. */
const SHARED_WINDOWS = 16_384

export interface Allowance {
  readonly allowed: boolean
  readonly remaining: number
  /** Whole seconds until the next window. */
  readonly resetsIn: number
}

interface UsageWindow {
  endsAt: number
  used: number
}

/**
 * Limits each caller's requests on this node. A window starts with its first request. In a flood of
 * ever new callers, those already counted stay counted, and the new ones share windows: memory is
 * bounded, and the flood frees nobody from a limit.
 */
export class RateLimiter {
  readonly #windows: QuotaWindows<UsageWindow>
  readonly #shared = new Map<number, UsageWindow>()
  /** Random, so that nobody can choose to share a window with another. */
  readonly #seed = randomBytes(16).toString('hex')
  readonly #windowMs: number

  constructor(windowMs = MINUTE_MS) {
    this.#windowMs = windowMs
    this.#windows = new QuotaWindows(windowMs)
  }

  get size(): number {
    return this.#windows.size + this.#shared.size
  }

  consume(caller: string, limit: number, now: number): Allowance {
    const window = this.#windows.current(caller, now) ?? this.#addWindow(caller, now)
    const allowed = window.used < limit
    if (allowed) window.used++
    return { allowed, remaining: limit - window.used, resetsIn: this.#windows.secondsLeft(window, now) }
  }

  /** Whether the caller has used up its limit. Counts nothing. */
  isExhausted(caller: string, limit: number, now: number): boolean {
    const window = this.#windows.current(caller, now)
    return window !== undefined && window.used >= limit
  }

  /** What is left of the limit, without using any of it. */
  remaining(caller: string, limit: number, now: number): number {
    return limit - (this.#windows.current(caller, now)?.used ?? 0)
  }

  #addWindow(caller: string, now: number): UsageWindow {
    const fresh = { endsAt: now + this.#windowMs, used: 0 }
    if (this.#windows.hasRoom(now)) {
      this.#windows.set(caller, fresh, now)
      return fresh
    }
    const index = hash('sha256', this.#seed + caller, 'buffer').readUInt32BE() % SHARED_WINDOWS
    const shared = this.#shared.get(index)
    if (shared !== undefined && this.#windows.isCurrent(shared, now)) return shared
    this.#shared.set(index, fresh)
    return fresh
  }
}
