import type { WatchQueue } from '../watch-queue.ts'
import { WatchesInTurn } from './watches-in-turn.ts'

/** Watches looked at in one search; the next search continues where this one ended. */
const MAX_LOOKS = 128

/**
 * Serves accounts in turn, and the watches of each account in turn. A watch without room is passed
 * over until room becomes free, so thousands of them cost one look each.
 */
export class Turns {
  #current = new WatchesInTurn()
  #passed = new WatchesInTurn()
  #roomFreed = false

  addWatch(queue: WatchQueue): void {
    if (!this.#passed.has(queue)) this.#current.add(queue)
  }

  removeWatch(queue: WatchQueue): void {
    this.#current.remove(queue)
    this.#passed.remove(queue)
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
    if (this.#passed.isEmpty) this.#swap()
    else if (this.#current.isEmpty) this.#roomFreed = false
  }

  /** True if some watch has not been looked at since room became free. */
  get unfinished(): boolean {
    return !this.#current.isEmpty || (this.#roomFreed && !this.#passed.isEmpty)
  }

  /** Removes and returns the next watch that can start an attempt. */
  next(canStart: (queue: WatchQueue) => boolean): WatchQueue | null {
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
