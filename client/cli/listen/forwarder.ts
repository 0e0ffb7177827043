import { setTimeout as wait } from 'node:timers/promises'
import { forward, type Outcome, type SignedMessage } from './forward.ts'

/**
 * Seconds before each further attempt. They end within four minutes: endpoints refuse signatures
 * that are older than five, so that a later attempt could only mislead.
 */
export const RETRY_SECONDS = [1, 2, 4, 8, 15, 30, 60, 90] as const

export interface Attempt {
  readonly message: SignedMessage
  readonly url: string
  readonly number: number
  readonly outcome: Outcome
  /** Null if it was taken, or if this was the last attempt. */
  readonly retryInSeconds: number | null
}

/** More would come at an endpoint all at once when it is back. */
const MAX_AT_ONCE = 8
/** Beyond this the stream is not read on, until the endpoint has caught up. */
const MAX_WAITING = 500

/** Forwards messages, some at once, and again while their endpoint is down. */
export class Forwarder {
  readonly #signal: AbortSignal
  readonly #onAttempt: (attempt: Attempt) => void
  readonly #waiting = new Set<Promise<void>>()
  readonly #queue: (() => void)[] = []
  #running = 0

  constructor(signal: AbortSignal, onAttempt: (attempt: Attempt) => void) {
    this.#signal = signal
    this.#onAttempt = onAttempt
  }

  /** Resolves as soon as another message may be given. */
  async add(message: SignedMessage, url: string): Promise<void> {
    const work: Promise<void> = this.#deliver(message, url).finally(() => this.#waiting.delete(work))
    this.#waiting.add(work)
    // The user's interrupt ends everything; it is reported by whoever reads the stream.
    work.catch(() => {})
    if (this.#waiting.size >= MAX_WAITING) await Promise.race(this.#waiting)
  }

  async #deliver(message: SignedMessage, url: string): Promise<void> {
    for (let number = 1; ; number++) {
      const outcome = await this.#inTurn(() => forward(message, url, this.#signal))
      const retryInSeconds = outcome.error === null ? null : (RETRY_SECONDS[number - 1] ?? null)
      this.#onAttempt({ message, url, number, outcome, retryInSeconds })
      if (retryInSeconds === null) return
      await wait(retryInSeconds * 1000, undefined, { signal: this.#signal })
    }
  }

  async #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= MAX_AT_ONCE) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#running++
    try {
      return await work()
    } finally {
      this.#running--
      this.#queue.shift()?.()
    }
  }
}
