import type { FullQueues } from '../../../../store/store.ts'
import type { WatchQueue } from '../watch-queue.ts'
import type { WatchQueues } from '../watch-queues.ts'
import { canRefillAccount, isAccountFull, maxWaitingPerAccount, maxWaitingPerWatch } from './admission.ts'
import type { WaitingCounts } from './waiting-counts.ts'

/** Excludes accounts and watches from leases while they are full, and tells when they have room. */
export class LeaseExclusions {
  readonly #watches: WatchQueues
  readonly #waiting: WaitingCounts
  readonly #onRefill: () => void

  constructor(watches: WatchQueues, waiting: WaitingCounts, onRefill: () => void) {
    this.#watches = watches
    this.#waiting = waiting
    this.#onRefill = onRefill
  }

  /** Excludes those that are full, and returns all of them. */
  fullQueues(): FullQueues {
    const perAccount = maxWaitingPerAccount(this.#waiting.activeAccounts)
    const accounts = this.#watches
      .allAccounts()
      .filter(({ waiting, inFlight }) => isAccountFull(waiting, inFlight.suspended, perAccount))
    for (const account of accounts) account.excluded = true
    const watches = this.#watches.all().filter((queue) => {
      const { accountShare: account, pool } = queue
      if (pool !== 'regular' || account.excluded) return false
      return queue.waiting >= maxWaitingPerWatch(perAccount, account.watches)
    })
    for (const watch of watches) watch.excluded = true
    return { accountIds: accounts.map(({ id }) => id), watchIds: watches.map(({ watchId }) => watchId) }
  }

  /** To be called when a delivery of the watch has left its queue. */
  endIfRefillable(queue: WatchQueue): void {
    const { accountShare: account } = queue
    if (!account.excluded && !queue.excluded) return
    const perAccount = maxWaitingPerAccount(this.#waiting.activeAccounts)
    const accountRefills = account.excluded && canRefillAccount(account.waiting, perAccount)
    const watchRefills = queue.excluded && queue.waiting <= maxWaitingPerWatch(perAccount, account.watches) / 2
    if (accountRefills) account.excluded = false
    if (watchRefills) queue.excluded = false
    if (accountRefills || watchRefills) this.#onRefill()
  }
}
