import type { AccountShare, WatchQueue } from './watch-queue.ts'

/** Watches looked at in one search; the next search continues where this one ended. */
const MAX_LOOKS = 128

/**
 * Serves accounts in turn, and the watches of each account in turn. A watch without room is passed
 * over until room becomes free, so thousands of them cost one look each.
 */
export class Turns {
  #current: WatchesByAccount = new Map()
  #passed: WatchesByAccount = new Map()
  #roomFreed = false

  addWatch(queue: WatchQueue): void {
    if (!hasWatch(this.#passed, queue)) addTo(this.#current, queue)
  }

  removeWatch(queue: WatchQueue): void {
    removeFrom(this.#current, queue)
    removeFrom(this.#passed, queue)
  }

  /** Room has become free: those that were passed over get another turn. */
  restart(): void {
    this.#roomFreed = true
  }

  /**
   * The room that became free is taken again, by one of the same account and host: those that were
   * passed over have none, and need no look.
   */
  settle(): void {
    if (this.#passed.size === 0) this.#swap()
    else if (this.#current.size === 0) this.#roomFreed = false
  }

  /** True if some watch has not been looked at since room became free. */
  get unfinished(): boolean {
    return this.#current.size > 0 || (this.#roomFreed && this.#passed.size > 0)
  }

  /** Removes and returns the next watch that can start an attempt. */
  next(canStart: (queue: WatchQueue) => boolean): WatchQueue | null {
    for (let looks = 0; looks < MAX_LOOKS && this.unfinished; looks++) {
      if (this.#current.size === 0) this.#swap()
      const [account, watches] = this.#current.entries().next().value!
      const queue = watches.values().next().value!
      watches.delete(queue)
      // To the end of the order: the account's next turn comes after all others'.
      this.#current.delete(account)
      if (watches.size > 0) this.#current.set(account, watches)
      if (canStart(queue)) return queue
      addTo(this.#passed, queue)
    }
    return null
  }

  clear(): void {
    this.#current.clear()
    this.#passed.clear()
  }

  #swap(): void {
    const passed = this.#passed
    this.#passed = this.#current
    this.#current = passed
    this.#roomFreed = false
  }
}

/** In turn order, and so are the watches of each account. */
type WatchesByAccount = Map<AccountShare, Set<WatchQueue>>

function hasWatch(turns: WatchesByAccount, queue: WatchQueue): boolean {
  return turns.get(queue.accountShare)?.has(queue) ?? false
}

function addTo(turns: WatchesByAccount, queue: WatchQueue): void {
  const watches = turns.get(queue.accountShare)
  if (watches === undefined) turns.set(queue.accountShare, new Set([queue]))
  else watches.add(queue)
}

function removeFrom(turns: WatchesByAccount, queue: WatchQueue): void {
  const watches = turns.get(queue.accountShare)
  if (watches?.delete(queue) && watches.size === 0) turns.delete(queue.accountShare)
}
