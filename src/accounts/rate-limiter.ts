import { hash } from 'node:crypto'
import { type Runtime, randomBytes, within } from '../lib/runtime.ts'
import { type QuotaRequest, type QuotaReservation, type Quotas, type Store, StoreUnavailable } from '../store/store.ts'

const MINUTE_MS = 60_000
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
    this.#windows = new QuotaWindows(windowMs, 1.1 * windowMs)
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

  /** Returns the rest of the limit, without using any of it. */
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

interface SharedRateLimiterOptions {
  readonly clock: () => number
  readonly runtime: Runtime
  /** Null while the store is not open yet. Without quotas, no other node shares the limits. */
  readonly store: () => Pick<Store, 'quotas' | 'isAway'> | null
  /** Length of a window; a minute by default. */
  readonly windowMs?: number
}

/** A part of a caller's quota, reserved for this node to use without asking the database. */
interface QuotaGrant {
  readonly endsAt: number
  available: number
  used: number
  /** Quota left in the database at the last reservation. */
  unreserved: number
}

interface WaitingRequests {
  limit: number
  readonly requests: PromiseWithResolvers<Allowance>[]
}

/** Share of the limit reserved in advance at most; a caller that changes nodes loses no more. */
const MAX_ADVANCE = 1 / 20
/** A database that has just begun to hang delays reads no longer than this. */
const QUOTA_TIMEOUT_MS = 2000
/** Time without reservations after one failed though the database answers others. */
const PAUSE_MS = 5000

/**
 * Limits each caller's requests over all nodes. The quota is in the database; each node reserves
 * parts of it in advance, so most requests do not wait. While the database is unavailable, each
 * node allows the whole limit, so that reads continue.
 */
export class SharedRateLimiter {
  readonly #options: SharedRateLimiterOptions
  readonly #windowMs: number
  /** Used if there is only one node. */
  readonly #local: RateLimiter
  readonly #grants: QuotaWindows<QuotaGrant>
  #waiting = new Map<string, WaitingRequests>()
  #isReserving = false
  #pausedUntil = Number.NEGATIVE_INFINITY

  constructor(options: SharedRateLimiterOptions) {
    this.#options = options
    this.#windowMs = options.windowMs ?? MINUTE_MS
    this.#local = new RateLimiter(this.#windowMs)
    this.#grants = new QuotaWindows(this.#windowMs, 2 * this.#windowMs)
  }

  /** Answers synchronously if this node has quota for the caller, or knows that none is left. */
  consume(caller: string, limit: number): Allowance | Promise<Allowance> {
    const now = this.#options.clock()
    const store = this.#options.store()
    if (store === null || store.quotas === null) return this.#local.consume(caller, limit, now)
    const grant = this.#grants.current(caller, now)
    if (grant !== undefined && (grant.available > 0 || grant.unreserved === 0)) return this.#useGrant(grant, now)
    if (store.isAway() || now < this.#pausedUntil) return this.#useGrant(this.#grantLocally(caller, limit, now), now)
    return this.#waitForGrant(caller, limit, store.quotas)
  }

  /** Returns the rest of the limit over all nodes, without using any of it. */
  async remaining(caller: string, limit: number): Promise<number> {
    const now = this.#options.clock()
    const store = this.#options.store()
    if (store === null || store.quotas === null) return this.#local.remaining(caller, limit, now)
    const request = { caller, limit, amount: 0, window: this.#windowMs }
    const { available = 0, used = 0 } = this.#grants.current(caller, now) ?? {}
    const known = Math.max(available, limit - used)
    if (store.isAway()) return known
    try {
      const [reserved] = await this.#inTime(store.quotas.reserve([request], now))
      return reserved!.left + available
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error
      return known
    }
  }

  #inTime<Result>(reservation: Promise<Result>): Promise<Result> {
    return within(this.#options.runtime, QUOTA_TIMEOUT_MS, reservation, () => {
      throw new StoreUnavailable('The database did not answer in time')
    })
  }

  #useGrant(grant: QuotaGrant, now: number): Allowance {
    const allowed = grant.available > 0
    if (allowed) {
      grant.available--
      grant.used++
    }
    const remaining = grant.available + grant.unreserved
    return { allowed, remaining, resetsIn: this.#grants.secondsLeft(grant, now) }
  }

  #waitForGrant(caller: string, limit: number, quotas: Quotas): Promise<Allowance> {
    const request = Promise.withResolvers<Allowance>()
    const waiting = this.#waiting.get(caller)
    if (waiting === undefined) this.#waiting.set(caller, { limit, requests: [request] })
    else {
      waiting.limit = limit
      waiting.requests.push(request)
    }
    if (!this.#isReserving) void this.#reserveLoop(quotas)
    return request.promise
  }

  /** Makes one reservation at a time; requests that arrive meanwhile share the next one. */
  async #reserveLoop(quotas: Quotas): Promise<void> {
    this.#isReserving = true
    while (this.#waiting.size > 0) {
      const waiting = this.#waiting
      this.#waiting = new Map()
      await this.#reserve(waiting, quotas)
    }
    this.#isReserving = false
  }

  /** Reserves at least what is waiting here: a request that gets nothing is over the limit. */
  async #reserve(waiting: ReadonlyMap<string, WaitingRequests>, quotas: Quotas): Promise<void> {
    const { clock, store } = this.#options
    const askedAt = clock()
    const asked = [...waiting].map(([caller, { limit, requests }]): QuotaRequest => {
      const advance = Math.min(this.#grants.current(caller, askedAt)?.used ?? 0, Math.floor(limit * MAX_ADVANCE))
      return { caller, limit, amount: requests.length + advance, window: this.#windowMs }
    })
    let grants: QuotaGrant[]
    try {
      const reserved = await this.#inTime(quotas.reserve(asked, askedAt))
      grants = asked.map(({ caller }, index) => this.#addReservation(caller, reserved[index]!, askedAt))
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) {
        for (const { requests } of waiting.values()) for (const { reject } of requests) reject(error)
        return
      }
      if (store()?.isAway() === false) this.#pausedUntil = clock() + PAUSE_MS
      grants = asked.map(({ caller, limit }) => this.#grantLocally(caller, limit, clock()))
    }
    const now = clock()
    for (const [index, { requests }] of [...waiting.values()].entries())
      for (const { resolve } of requests) resolve(this.#useGrant(grants[index]!, now))
  }

  #addReservation(caller: string, { amount, left, endsAt }: QuotaReservation, now: number): QuotaGrant {
    const current = this.#grants.current(caller, now)
    const grant = current?.endsAt === endsAt ? current : { endsAt, available: 0, used: 0, unreserved: left }
    grant.available += amount
    grant.unreserved = left
    this.#grants.set(caller, grant, now)
    return grant
  }

  /** Grants the rest of the whole limit until the window ends, as if this were the only node. */
  #grantLocally(caller: string, limit: number, now: number): QuotaGrant {
    const fresh = { endsAt: now + this.#windowMs, available: 0, used: 0, unreserved: 0 }
    const grant = this.#grants.current(caller, now) ?? fresh
    grant.available = Math.max(0, limit - grant.used)
    grant.unreserved = 0
    this.#grants.set(caller, grant, now)
    return grant
  }
}

const MAX_WINDOWS = 100_000
/** More than one, so that ended windows are removed faster than others are added. */
const REMOVED_PER_ADDITION = 4

/** Each caller's current window. The maximum guards against callers with ever new addresses. */
class QuotaWindows<Window extends { readonly endsAt: number }> {
  /** In the order of addition, so those that end first come first. */
  readonly #windows = new Map<string, Window>()
  readonly #windowMs: number
  readonly #longestMs: number

  /** `longestMs`: a window that ends later was made before the clock was set back. */
  constructor(windowMs: number, longestMs: number) {
    this.#windowMs = windowMs
    this.#longestMs = longestMs
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
   * Ignores windows far ahead: a clock that was set back must not lock callers out. Windows that
   * nodes share may be one length longer, for another node's clock that is ahead.
   */
  isCurrent({ endsAt }: Window, now: number): boolean {
    return now < endsAt && endsAt - now <= this.#longestMs
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
