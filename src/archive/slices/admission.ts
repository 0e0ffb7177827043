import { Problem } from '../../domain/errors.ts'
import { RotatingQueue } from '../../lib/async/rotating-queue.ts'

/** Each running question holds up to some megabytes of sums. */
export const MAX_RUNNING = 32
export const MAX_RUNNING_PER_SUBJECT = 4
export const MAX_WAITING = 1000
export const MAX_WAITING_PER_SUBJECT = 100

interface Waiter {
  readonly subject: string
  readonly admit: () => void
}

/** Admits a few large questions at a time, fewer of each subject; the others wait in rotation. */
export class Admission {
  readonly #running = new Map<string, number>()
  readonly #waiting = new RotatingQueue<Waiter>()
  #total = 0

  /** Returns whether the question may run now; if so, `leave` must be called when it ends. */
  tryEnter(subject: string): boolean {
    if (!this.#hasPlace(subject)) return false
    this.#enter(subject)
    return true
  }

  /** Waits for a place. Throws a `Problem` if too many wait, or the signal's reason. */
  async enter(subject: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#waiting.size >= MAX_WAITING || this.#waiting.sizeOf(subject) >= MAX_WAITING_PER_SUBJECT)
      throw new Problem('busy', 'Too many questions that read much of the archive are waiting. Try again in 2 s.', {
        headers: { 'retry-after': '2' },
      })
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.removeItem(subject, waiter)
        reject(signal.reason as Error)
      }
      const waiter: Waiter = {
        subject,
        admit() {
          signal.removeEventListener('abort', giveUp)
          resolve()
        },
      }
      signal.addEventListener('abort', giveUp, { once: true })
      this.#waiting.addItem(subject, waiter)
    })
  }

  leave(subject: string): void {
    const left = this.#running.get(subject)! - 1
    if (left === 0) this.#running.delete(subject)
    else this.#running.set(subject, left)
    this.#total--
    const next = this.#waiting.takeNext((waiting) => this.#hasPlace(waiting))
    if (next === undefined) return
    this.#enter(next.subject)
    next.admit()
  }

  #hasPlace(subject: string): boolean {
    return this.#total < MAX_RUNNING && (this.#running.get(subject) ?? 0) < MAX_RUNNING_PER_SUBJECT
  }

  #enter(subject: string): void {
    this.#running.set(subject, (this.#running.get(subject) ?? 0) + 1)
    this.#total++
  }
}
