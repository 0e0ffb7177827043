import type { Pool } from '../pool-limits.ts'
import type { WatchQueue } from '../watch-queue.ts'

/** Counts the deliveries that wait in memory: in all, and by account. */
export class WaitingCounts {
  readonly #inAll: Record<Pool, number> = { regular: 0, trial: 0, suspended: 0 }
  #activeAccounts = 0

  inPool(pool: Pool): number {
    return this.#inAll[pool]
  }

  /** Accounts with regular deliveries waiting. */
  get activeAccounts(): number {
    return this.#activeAccounts
  }

  changeBy(amount: number, { accountShare }: WatchQueue, pool: Pool): void {
    const before = accountShare.waiting.regular
    accountShare.waiting[pool] += amount
    this.#inAll[pool] += amount
    if (before === 0 && accountShare.waiting.regular > 0) this.#activeAccounts++
    if (before > 0 && accountShare.waiting.regular === 0) this.#activeAccounts--
  }
}
