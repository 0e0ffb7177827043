import type { DeliveryQueues, StartedAttempt } from './queues.ts'

/** An answer that takes longer is late. */
const LATE_AFTER_MS = 1000
/** If a pool is full, attempts that have waited for this long make room. */
const MAKE_ROOM_AFTER_MS = 100

/** Attempts in flight. Those that take long are suspended, so that they leave room for the rest. */
export class InFlightAttempts {
  /** In starting order. */
  readonly #attempts = new Set<StartedAttempt>()
  /** Attempts that are late and suspended: nothing more is expected of them but their end. */
  readonly #waiting = new Set<StartedAttempt>()
  #whenEmpty: () => void = () => {}

  get size(): number {
    return this.#attempts.size + this.#waiting.size
  }

  /** Whether some attempt may become late, or leave room. */
  get needsChecks(): boolean {
    return this.#attempts.size > 0
  }

  add(attempt: StartedAttempt): void {
    this.#attempts.add(attempt)
  }

  /** Returns whether the attempt was late. */
  end(attempt: StartedAttempt): boolean {
    if (!this.#attempts.delete(attempt)) this.#waiting.delete(attempt)
    if (this.size === 0) this.#whenEmpty()
    return performance.now() - attempt.startedAt > LATE_AFTER_MS
  }

  /** Suspends what takes long; reports each late attempt once. Returns whether room was made. */
  suspendSlow(
    queues: Pick<DeliveryQueues, 'isCrowded' | 'suspend'>,
    reportLate: (attempt: StartedAttempt) => void,
  ): boolean {
    const now = performance.now()
    let freed = false
    for (const attempt of this.#attempts) {
      const age = now - attempt.startedAt
      if (age < MAKE_ROOM_AFTER_MS) break
      const late = age >= LATE_AFTER_MS
      if (late && !attempt.late) {
        attempt.late = true
        reportLate(attempt)
      }
      if (attempt.pool !== 'suspended' && (late || queues.isCrowded(attempt.pool)))
        freed = queues.suspend(attempt) || freed
      if (late && attempt.pool === 'suspended') {
        this.#attempts.delete(attempt)
        this.#waiting.add(attempt)
      }
    }
    return freed
  }

  /** Resolves once nothing is in flight, or after the timeout. */
  async drain(timeoutMs: number): Promise<void> {
    if (this.size === 0) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs)
      this.#whenEmpty = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
