/** Queries in flight for one account; a queue of them waits. */
const MAX_PER_ACCOUNT = 16
const MAX_WAITING_PER_ACCOUNT = 64
/** Above this number, each account has one query at a time, so that all have some. */
const SHARED_MAX = 1_000
const MAX = 4_000

interface AccountQueries {
  active: number
  readonly waiting: (() => void)[]
}

/** Limits the queries in flight by account: names that nobody answers for cost their owner only. */
export class QueryLimits {
  readonly #accounts = new Map<string, AccountQueries>()
  #active = 0

  /** Runs the query when the account has room; returns null if too many wait already. */
  async run<Value>(accountId: string, query: () => Promise<Value>): Promise<Value | null> {
    const account = this.#accounts.get(accountId) ?? { active: 0, waiting: [] }
    this.#accounts.set(accountId, account)
    if (!this.#hasRoom(account)) {
      if (account.active === 0 || account.waiting.length >= MAX_WAITING_PER_ACCOUNT) return null
      await new Promise<void>((resolve) => account.waiting.push(resolve))
    }
    account.active++
    this.#active++
    try {
      return await query()
    } finally {
      account.active--
      this.#active--
      account.waiting.shift()?.()
      if (account.active === 0 && account.waiting.length === 0) this.#accounts.delete(accountId)
    }
  }

  #hasRoom({ active }: AccountQueries): boolean {
    return this.#active < MAX && active < (this.#active < SHARED_MAX ? MAX_PER_ACCOUNT : 1)
  }
}
