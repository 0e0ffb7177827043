import type { InFlightLimits, Pool } from './pool-limits.ts'
import type { WatchQueue } from './watch-queue.ts'

/** Counts attempts in flight by pool: in all, by account, by host, and by account at a host. */
export class Occupancy {
  readonly #limits: InFlightLimits
  readonly #all: Record<Pool, number> = { regular: 0, trial: 0, suspended: 0 }

  constructor(limits: InFlightLimits) {
    this.#limits = limits
  }

  isFull(pool: Pool): boolean {
    return this.#all[pool] >= this.#limits.pools[pool].all
  }

  /** Whether another attempt of the watch may start in the pool. */
  hasRoom({ accountShare, hostShare, accountAtHost }: WatchQueue, pool: Pool): boolean {
    const limits = this.#limits.pools[pool]
    return (
      this.#all[pool] < limits.all &&
      accountShare.inFlight[pool] < limits.perAccount &&
      hostShare.inFlight[pool] < limits.perHost &&
      accountAtHost.inFlight[pool] < limits.perAccountAtHost
    )
  }

  /** Whether an attempt in flight may leave its pool for `suspended`. */
  canSuspend({ hostShare }: WatchQueue, from: 'trial' | 'regular'): boolean {
    const limits = this.#limits.suspendedFrom[from]
    return this.#all.suspended < limits.all && hostShare.inFlight.suspended < limits.perHost
  }

  enter(queue: WatchQueue, pool: Pool): void {
    this.#change(queue, pool, 1)
  }

  leave(queue: WatchQueue, pool: Pool): void {
    this.#change(queue, pool, -1)
  }

  #change({ accountShare, hostShare, accountAtHost }: WatchQueue, pool: Pool, by: 1 | -1): void {
    this.#all[pool] += by
    accountShare.inFlight[pool] += by
    hostShare.inFlight[pool] += by
    accountAtHost.inFlight[pool] += by
  }
}
