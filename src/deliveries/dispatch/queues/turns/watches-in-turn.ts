import { FirstInFirstOut } from '../../../../lib/queues.ts'
import type { AccountShare, WatchQueue } from '../watch-queue.ts'

/** Accounts in turn order, and the watches of each. */
export class WatchesInTurn {
  readonly #accounts = new FirstInFirstOut<AccountShare>()
  readonly #watches = new Map<AccountShare, FirstInFirstOut<WatchQueue>>()

  get isEmpty(): boolean {
    return this.#accounts.size === 0
  }

  has(queue: WatchQueue): boolean {
    return this.#watches.get(queue.accountShare)?.has(queue) ?? false
  }

  add(queue: WatchQueue): void {
    const account = queue.accountShare
    let watches = this.#watches.get(account)
    if (watches === undefined) {
      watches = new FirstInFirstOut()
      this.#watches.set(account, watches)
      this.#accounts.add(account)
    }
    watches.add(queue)
  }

  remove(queue: WatchQueue): void {
    const watches = this.#watches.get(queue.accountShare)
    if (watches?.delete(queue) && watches.size === 0) this.#removeAccount(queue.accountShare)
  }

  /** Removes and returns the next watch of the next account. There has to be one. */
  shift(): WatchQueue {
    const account = this.#accounts.shift()!
    const watches = this.#watches.get(account)!
    const queue = watches.shift()!
    // To the end of the order: the account's next turn comes after all others'.
    if (watches.size > 0) this.#accounts.add(account)
    else this.#watches.delete(account)
    return queue
  }

  clear(): void {
    this.#accounts.clear()
    this.#watches.clear()
  }

  #removeAccount(account: AccountShare): void {
    this.#accounts.delete(account)
    this.#watches.delete(account)
  }
}
