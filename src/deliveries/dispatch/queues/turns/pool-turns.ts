import type { WatchQueue } from '../watch-queue.ts'
import { Turns } from './turns.ts'

/** The watches of one pool that could start an attempt, those with a critical delivery apart. */
export class PoolTurns {
  readonly #critical = new Turns()
  readonly #rest = new Turns()
  #last = this.#critical

  /** True if some watch has not been looked at since room became free. */
  get unfinished(): boolean {
    return this.#critical.unfinished || this.#rest.unfinished
  }

  /** Removes and returns the next watch that can start an attempt. */
  next(restFirst: boolean, canStart: (queue: WatchQueue) => boolean): WatchQueue | null {
    const [first, second] = restFirst ? [this.#rest, this.#critical] : [this.#critical, this.#rest]
    const queue = first.next(canStart)
    this.#last = queue === null ? second : first
    return queue ?? second.next(canStart)
  }

  /** The watch of the last `next` takes exactly the room that became free: see `Turns`. */
  settleLast(): void {
    this.#last.settle()
  }

  addWatch(queue: WatchQueue): void {
    if (queue.critical.length === 0) this.#rest.addWatch(queue)
    else {
      this.#rest.removeWatch(queue)
      this.#critical.addWatch(queue)
    }
  }

  removeWatch(queue: WatchQueue): void {
    this.#critical.removeWatch(queue)
    this.#rest.removeWatch(queue)
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
