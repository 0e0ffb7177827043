import type { StartedAttempt } from '../queues/delivery-queues.ts'

/** An answer that takes longer is late. */
const LATE_AFTER_MS = 1000
/** If a pool is full, attempts that have waited for this long make room. */
const MAKE_ROOM_AFTER_MS = 100
const CHECK_INTERVAL_MS = 50

export interface InFlightAttempt extends StartedAttempt {
  readonly startedAt: number
  late: boolean
}

export interface InFlightOptions {
  /** Called once while an attempt takes long. */
  readonly onLate: (attempt: InFlightAttempt) => void
  /** Whether other attempts may wait for the place of this one. */
  readonly isCrowded: (attempt: InFlightAttempt) => boolean
  /** Frees the attempt's place; false if it must keep it. */
  readonly suspend: (attempt: InFlightAttempt) => boolean
  /** Called when places were freed. */
  readonly onRoom: () => void
}

/** Attempts in flight. Those that take long are suspended, so that they leave room for the rest. */
export class InFlightAttempts {
  readonly #options: InFlightOptions
  /** In starting order. */
  readonly #attempts = new Set<InFlightAttempt>()
  /** Attempts that are late and suspended: nothing more is expected of them but their end. */
  readonly #waiting = new Set<InFlightAttempt>()
  #timer: NodeJS.Timeout | null = null
  #whenEmpty: () => void = () => {}

  constructor(options: InFlightOptions) {
    this.#options = options
  }

  get size(): number {
    return this.#attempts.size + this.#waiting.size
  }

  add(started: StartedAttempt): InFlightAttempt {
    const attempt = { ...started, startedAt: performance.now(), late: false }
    this.#attempts.add(attempt)
    this.#timer ??= setInterval(() => this.#check(), CHECK_INTERVAL_MS)
    return attempt
  }

  /** Returns whether the attempt was late. */
  end(attempt: InFlightAttempt): boolean {
    if (!this.#attempts.delete(attempt)) this.#waiting.delete(attempt)
    if (this.#attempts.size === 0) this.#stopTimer()
    if (this.size === 0) this.#whenEmpty()
    return performance.now() - attempt.startedAt > LATE_AFTER_MS
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
    this.#stopTimer()
  }

  #check(): void {
    const now = performance.now()
    let freed = false
    for (const attempt of this.#attempts) {
      const age = now - attempt.startedAt
      if (age < MAKE_ROOM_AFTER_MS) break
      const late = age >= LATE_AFTER_MS
      if (late && !attempt.late) {
        attempt.late = true
        this.#options.onLate(attempt)
      }
      if (attempt.pool !== 'suspended' && (late || this.#options.isCrowded(attempt)))
        freed = this.#options.suspend(attempt) || freed
      if (late && attempt.pool === 'suspended') {
        this.#attempts.delete(attempt)
        this.#waiting.add(attempt)
      }
    }
    if (this.#attempts.size === 0) this.#stopTimer()
    if (freed) this.#options.onRoom()
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
  }
}
