import { FirstInFirstOut } from '../lib/concurrency.ts'

/** A queue that takes turns with others of its account, as the account does with other accounts. */
interface TakesTurns {
  readonly accountShare: object
  readonly critical: readonly unknown[]
}

/** The watches of one pool that could start an attempt, those with a critical delivery apart. */
export class PoolRoundRobin<Queue extends TakesTurns> {
  readonly #critical = new RoundRobin<Queue>()
  readonly #rest = new RoundRobin<Queue>()
  #last = this.#critical

  /** True if some watch has not been looked at since room became free. */
  get unfinished(): boolean {
    return this.#critical.unfinished || this.#rest.unfinished
  }

  /** Removes and returns the next watch that can start an attempt. */
  next(restFirst: boolean, canStart: (queue: Queue) => boolean): Queue | null {
    const [first, second] = restFirst ? [this.#rest, this.#critical] : [this.#critical, this.#rest]
    const queue = first.next(canStart)
    this.#last = queue === null ? second : first
    return queue ?? second.next(canStart)
  }

  /** The watch of the last `next` takes exactly the room that became free. */
  settleLast(): void {
    this.#last.settle()
  }

  add(queue: Queue): void {
    if (queue.critical.length === 0) this.#rest.add(queue)
    else {
      this.#rest.remove(queue)
      this.#critical.add(queue)
    }
  }

  remove(queue: Queue): void {
    this.#critical.remove(queue)
    this.#rest.remove(queue)
  }

  /** Room has become free: those that were passed over get another turn. */
  restart(): void {
    this.#critical.restart()
    this.#rest.restart()
  }

  clear(): void {
    this.#critical.clear()
    this.#rest.clear()
  }
}

/** Watches looked at in one search; the next search continues where this one ended. */
const MAX_LOOKS = 128

/**
 * Serves accounts in turn, and the watches of each account in turn. A watch without room is passed
 * over until room becomes free, so thousands of them cost one look each.
 */
class RoundRobin<Queue extends TakesTurns> {
  #current = new AccountOrder<Queue>()
  #passed = new AccountOrder<Queue>()
  #roomFreed = false

  add(queue: Queue): void {
    if (!this.#passed.has(queue)) this.#current.add(queue)
  }

  remove(queue: Queue): void {
    this.#current.remove(queue)
    this.#passed.remove(queue)
  }

  restart(): void {
    this.#roomFreed = true
  }

  /**
   * The room that became free is taken again, by one of the same account and host: those that were
   * passed over have none, and need no look.
   */
  settle(): void {
    if (this.#passed.isEmpty) this.#swap()
    else if (this.#current.isEmpty) this.#roomFreed = false
  }

  get unfinished(): boolean {
    return !this.#current.isEmpty || (this.#roomFreed && !this.#passed.isEmpty)
  }

  next(canStart: (queue: Queue) => boolean): Queue | null {
    for (let looks = 0; looks < MAX_LOOKS && this.unfinished; looks++) {
      if (this.#current.isEmpty) this.#swap()
      const queue = this.#current.shift()
      if (canStart(queue)) return queue
      this.#passed.add(queue)
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

/** Accounts in the order of their turns, and the watches of each. */
class AccountOrder<Queue extends TakesTurns> {
  readonly #accounts = new FirstInFirstOut<object>()
  readonly #watches = new Map<object, FirstInFirstOut<Queue>>()

  get isEmpty(): boolean {
    return this.#accounts.size === 0
  }

  has(queue: Queue): boolean {
    return this.#watches.get(queue.accountShare)?.has(queue) ?? false
  }

  add(queue: Queue): void {
    const account = queue.accountShare
    let watches = this.#watches.get(account)
    if (watches === undefined) {
      watches = new FirstInFirstOut()
      this.#watches.set(account, watches)
      this.#accounts.add(account)
    }
    watches.add(queue)
  }

  remove(queue: Queue): void {
    const account = queue.accountShare
    const watches = this.#watches.get(account)
    if (!watches?.delete(queue) || watches.size > 0) return
    this.#accounts.delete(account)
    this.#watches.delete(account)
  }

  /** Removes and returns the next watch of the next account. There has to be one. */
  shift(): Queue {
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
}
