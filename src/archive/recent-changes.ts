import type { IndexedFields } from '../filter/indexed-fields.ts'
import type { LogEvent } from '../store/store.ts'

/** The fields of an incident before and after an event; null if it was not public. */
export interface IndexedChange {
  readonly seq: number
  readonly before: IndexedFields | null
  readonly after: IndexedFields | null
}

export type AppliedEvent = LogEvent & IndexedChange

const MAX_CHANGES = 1024

/** The latest changes, so that caches can tell which of their entries are still valid. */
export class RecentChanges {
  #changes: IndexedChange[] = []

  addChange(change: IndexedChange): void {
    this.#changes.push(change)
    if (this.#changes.length >= 2 * MAX_CHANGES) this.#changes = this.#changes.slice(-MAX_CHANGES)
  }

  /** Returns the changes after `seq` up to `head`, in order; null if some are no longer kept. */
  between(seq: number, head: number): readonly IndexedChange[] | null {
    if (seq === head) return []
    const wanted = head - seq
    if (wanted < 0 || wanted > this.#changes.length) return null
    return this.#changes.slice(-wanted)
  }
}
