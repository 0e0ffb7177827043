import type { Store } from '../store/store.ts'

/** After an erasure of a second the next one waits for nineteen. */
const WAIT_PER_DURATION = 19

export interface RedactionCleanupParts {
  readonly store: Pick<Store, 'redactions'>
  /** Deletes this node's copy of the archive on the disk. */
  readonly eraseSaved: () => Promise<void>
  readonly clock: () => number
  /** Monotonic, in milliseconds. */
  readonly stopwatch: () => number
}

/**
 * Finishes the redactions of a process, one run at a time. SQLite rebuilds its file and holds up
 * writes meanwhile: many redactions share a rebuild, and rebuilding takes a twentieth of the time
 * at most. A redaction that has to wait for it stays on the list.
 */
export class RedactionCleanup {
  readonly #parts: RedactionCleanupParts
  #running: Promise<void> | null = null
  #next: Promise<void> | null = null
  #eraseAfter = Number.NEGATIVE_INFINITY

  constructor(parts: RedactionCleanupParts) {
    this.#parts = parts
  }

  /** Resolves after a run that began after this call; callers share it. */
  run(): Promise<void> {
    if (this.#running === null) return this.#start()
    // A failure of the running one is reported to those who wait for it.
    this.#next ??= this.#running.catch(() => {}).then(() => this.#start())
    return this.#next
  }

  #start(): Promise<void> {
    const { store, clock } = this.#parts
    this.#next = null
    this.#running = finishRedactions(store, clock(), this.#eraseUnlessTooSoon).finally(() => {
      this.#running = null
    })
    return this.#running
  }

  readonly #eraseUnlessTooSoon = async (): Promise<boolean> => {
    const { store, eraseSaved, stopwatch } = this.#parts
    const began = stopwatch()
    if (began < this.#eraseAfter) return false
    try {
      await eraseSaved()
      await store.redactions.erase()
    } finally {
      const ended = stopwatch()
      this.#eraseAfter = ended + (ended - began) * WAIT_PER_DURATION
    }
    return true
  }
}

/**
 * A message that was being sent, or a request that was being answered, at the moment of the
 * redaction has recorded its answer by then.
 */
const SETTLED_AFTER_MS = 120_000
const BATCH = 500
const MAX_REDACTIONS = 50

/**
 * Removes what a redaction leaves behind: answers that repeat the content, and overwritten rows.
 * Run again and again, so that a crash or a busy database only delays it. `erase` returns false if
 * it leaves the erasing to a later run.
 */
export async function finishRedactions(
  { redactions }: Pick<Store, 'redactions'>,
  now: number,
  erase = () => redactions.erase().then(() => true),
): Promise<void> {
  const waiting = await redactions.unsettled(MAX_REDACTIONS)
  let mustErase = false
  for (const { id, erasedAt } of waiting) {
    let cleared = 0
    for (let last = -1; last !== 0; cleared += last) last = await redactions.clearAnswers(id, BATCH)
    // Stored: if erasing fails now, the next run must know that there is something to erase.
    if (erasedAt !== null && cleared > 0) await redactions.recordErased(id, null, false)
    mustErase ||= erasedAt === null || cleared > 0
  }
  // One rebuild for all of them: it is the expensive part.
  if (mustErase && !(await erase())) return
  for (const { id, at, erasedAt } of waiting) {
    const settled = now - at >= SETTLED_AFTER_MS
    if (mustErase || settled) await redactions.recordErased(id, mustErase ? now : erasedAt!, settled)
  }
}
