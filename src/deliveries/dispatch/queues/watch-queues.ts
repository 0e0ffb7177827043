import { AccountShare, type QueuedDelivery, Share, WatchQueue } from './watch-queue.ts'
import type { WatchRecords } from './watch-records.ts'

/** The queues of watches, with the shares of their accounts and hosts, while they are in use. */
export class WatchQueues {
  readonly #records: WatchRecords
  readonly #watches = new Map<string, WatchQueue>()
  readonly #accounts = new Map<string, AccountShare>()
  readonly #hosts = new Map<string, Share>()

  constructor(records: WatchRecords) {
    this.#records = records
  }

  find(watchId: string): WatchQueue | undefined {
    return this.#watches.get(watchId)
  }

  findAccount(accountId: string): AccountShare | undefined {
    return this.#accounts.get(accountId)
  }

  /** All queues, as they are now. */
  all(): WatchQueue[] {
    return [...this.#watches.values()]
  }

  allAccounts(): AccountShare[] {
    return [...this.#accounts.values()]
  }

  findOrAdd({ dispatch: { delivery, accountId, failing } }: QueuedDelivery): WatchQueue {
    const { watchId, host } = delivery
    const existing = this.#watches.get(watchId)
    if (existing !== undefined) return existing
    const account = this.#accounts.get(accountId) ?? new AccountShare(accountId)
    const hostShare = this.#hosts.get(host) ?? new Share()
    const accountAtHost = account.atHosts.get(host) ?? new Share()
    const shares = { account, host: hostShare, accountAtHost }
    const queue = new WatchQueue(watchId, host, shares, this.#records.responseOf(watchId, failing))
    this.#watches.set(watchId, queue)
    this.#accounts.set(accountId, account)
    this.#hosts.set(host, hostShare)
    account.atHosts.set(host, accountAtHost)
    for (const share of [account, hostShare, accountAtHost]) share.watches++
    return queue
  }

  remove({ watchId, host, accountShare: account, hostShare, accountAtHost }: WatchQueue): void {
    this.#watches.delete(watchId)
    for (const share of [account, hostShare, accountAtHost]) share.watches--
    if (accountAtHost.watches === 0) account.atHosts.delete(host)
    if (hostShare.watches === 0) this.#hosts.delete(host)
    if (account.watches === 0) this.#accounts.delete(account.id)
  }
}
