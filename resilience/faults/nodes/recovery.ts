import { setTimeout as wait } from 'node:timers/promises'
import type { Check } from '../../harness/check.ts'
import type { Harness } from '../../harness/harness.ts'

/** Goal for the time in which the other nodes write nothing. */
export const MAX_RECOVERY_MS = 15_000

/** Measures how long the other nodes write nothing after one is lost. */
export class Recovery {
  readonly #harness: Harness
  readonly #maxMs: number
  #longestMs = 0
  #times = 0

  constructor(harness: Harness, maxMs: number) {
    this.#maxMs = maxMs
    this.#harness = harness
  }

  /** Waits for the next confirmation after a fault, and until the fault has lasted `leastMs`. */
  async measure(leastMs: number): Promise<void> {
    const startedAt = performance.now()
    await this.#harness.nextConfirmation()
    const elapsed = performance.now() - startedAt
    this.#longestMs = Math.max(this.#longestMs, elapsed)
    this.#times++
    await wait(Math.max(0, leastMs - elapsed))
  }

  check(fault: string): Check {
    return {
      name: `the next incident is confirmed within ${this.#maxMs / 1000} s after ${fault}`,
      passed: this.#times > 0 && this.#longestMs <= this.#maxMs,
      observed: `${(this.#longestMs / 1000).toFixed(1)} s at most, ${this.#times} times`,
    }
  }
}
