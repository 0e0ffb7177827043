import type { IndexedFields } from '../query/indexed-fields.ts'
import type { LogEvent } from '../store/store.ts'

/** What an event did to an incident; null where it was not public before, or is not after. */
export interface Change {
  readonly seq: number
  readonly before: IndexedFields | null
  readonly after: IndexedFields | null
}

/** An event that the archive has applied, with what it changed there. */
export type AppliedEvent = LogEvent & Change

const MOST = 1024

/** The last changes, so that whoever keeps something made from the archive can tell what of it still holds. */
export class RecentChanges {
  #changes: Change[] = []

  add(change: Change): void {
    this.#changes.push(change)
    if (this.#changes.length >= 2 * MOST) this.#changes = this.#changes.slice(-MOST)
  }

  /** Those after `seq` up to `head`, in order; null where they are not all known any more. */
  between(seq: number, head: number): readonly Change[] | null {
    if (seq === head) return []
    const wanted = head - seq
    if (wanted < 0 || wanted > this.#changes.length) return null
    return this.#changes.slice(-wanted)
  }
}
