import type { NotificationTopic } from '../../store.ts'
import type { ChangeCounters } from '../change-counters.ts'

/** Notifies listeners: of this store's changes at once, of other processes' by polling. */
export class Listeners implements Disposable {
  readonly #readCounters: () => Promise<ChangeCounters>
  readonly #interval: number
  readonly #listeners = new Set<{ topic: NotificationTopic; call: () => void }>()
  readonly #seen: ChangeCounters = { events: 0, watches: 0, deliveries: 0, desk: 0, gazetteer: 0 }
  #timer: NodeJS.Timeout | null = null

  constructor(readCounters: () => Promise<ChangeCounters>, interval: number) {
    this.#readCounters = readCounters
    this.#interval = interval
  }

  add(topic: NotificationTopic, call: () => void): () => void {
    // Allows adding a function twice.
    const entry = { topic, call }
    this.#listeners.add(entry)
    this.#timer ??= setInterval(() => this.poll(), this.#interval).unref()
    return () => {
      this.#listeners.delete(entry)
      if (this.#listeners.size === 0) this[Symbol.dispose]()
    }
  }

  advanceTo(topic: NotificationTopic, counter: number): void {
    if (counter <= this.#seen[topic]) return
    this.#seen[topic] = counter
    for (const listener of this.#listeners) {
      // Outside the call that made the change, so that a listener's error does not reject it.
      if (listener.topic === topic) queueMicrotask(listener.call)
    }
  }

  poll(): void {
    if (this.#listeners.size === 0) return
    // While the database is unavailable nothing is written; the next poll finds what was missed.
    this.#readCounters().then(
      (counters) => {
        for (const topic of Object.keys(counters) as NotificationTopic[]) this.advanceTo(topic, counters[topic])
      },
      () => {},
    )
  }

  [Symbol.dispose](): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }
}
