import type { LogHead } from '../store.ts'

/** Tells of appends: of this store's own at once, of other processes' by looking at the head now and then. */
export class Listeners implements Disposable {
  readonly #head: () => Promise<LogHead>
  readonly #interval: number
  readonly #listeners = new Set<() => void>()
  #timer: NodeJS.Timeout | null = null
  #seen = 0

  constructor(head: () => Promise<LogHead>, interval: number) {
    this.#head = head
    this.#interval = interval
  }

  add(listener: () => void): () => void {
    // Wrapped, so that one function added twice is called twice and stopped once at a time.
    const entry = () => listener()
    this.#listeners.add(entry)
    this.#timer ??= setInterval(() => this.#look(), this.#interval).unref()
    return () => {
      this.#listeners.delete(entry)
      if (this.#listeners.size === 0) this[Symbol.dispose]()
    }
  }

  appended(seq: number): void {
    if (seq <= this.#seen) return
    this.#seen = seq
    // Not within the save that tells of it: a listener's error is not the save's.
    for (const listener of this.#listeners) queueMicrotask(listener)
  }

  [Symbol.dispose](): void {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  #look(): void {
    // While the database is away nothing is appended; the next look finds what was missed.
    this.#head().then(
      ({ seq }) => this.appended(seq),
      () => {},
    )
  }
}
