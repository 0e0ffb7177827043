import type { Topic } from '../../topic.ts'
import type { Marks } from '../change-counters.ts'

/** Tells of what is new: of this store's own doing at once, of other processes' by looking at the marks now and then. */
export class Listeners implements Disposable {
  readonly #marks: () => Promise<Marks>
  readonly #interval: number
  readonly #listeners = new Set<{ topic: Topic; call: () => void }>()
  readonly #seen: Marks = { events: 0, watches: 0, deliveries: 0 }
  #timer: NodeJS.Timeout | null = null

  constructor(marks: () => Promise<Marks>, interval: number) {
    this.#marks = marks
    this.#interval = interval
  }

  add(topic: Topic, call: () => void): () => void {
    // An entry of its own, so that one function added twice is called twice and stopped once at a time.
    const entry = { topic, call }
    this.#listeners.add(entry)
    this.#timer ??= setInterval(() => this.look(), this.#interval).unref()
    return () => {
      this.#listeners.delete(entry)
      if (this.#listeners.size === 0) this[Symbol.dispose]()
    }
  }

  reached(topic: Topic, mark: number): void {
    if (mark <= this.#seen[topic]) return
    this.#seen[topic] = mark
    for (const listener of this.#listeners) {
      // Not within the call that tells of it: a listener's error is not the call's.
      if (listener.topic === topic) queueMicrotask(listener.call)
    }
  }

  look(): void {
    if (this.#listeners.size === 0) return
    // While the database is away nothing is written; the next look finds what was missed.
    this.#marks().then(
      (marks) => {
        for (const topic of Object.keys(marks) as Topic[]) this.reached(topic, marks[topic])
      },
      () => {},
    )
  }

  [Symbol.dispose](): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }
}
