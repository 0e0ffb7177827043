import type { NewWatch, Watch, WatchEvent, WatchPatch, WatchStatus } from '../domain/watch.ts'

export type WatchRefusal = 'name_taken' | 'too_many'

export interface Watches {
  /**
   * Refuses the watch if the account already has one of that name, or `max` watches. The check is
   * exact even if others add watches at the same time. `createdSeq` is the log's head, locked until
   * the watch is committed: a reader that has seen a later event also finds this watch.
   */
  add(watch: NewWatch, max: number): Promise<Watch | WatchRefusal>
  find(accountId: string, id: string): Promise<Watch | null>
  /** Returns watches newest first; only those older than `before` if given. */
  list(accountId: string, limit: number, before: string | null): Promise<Watch[]>
  /**
   * Returns the changed watch, or null if the account has no such watch. Fields that the patch does
   * not name are kept; if two callers change the same field at once, the later one wins.
   */
  change(accountId: string, id: string, patch: WatchPatch, now: number): Promise<Watch | 'name_taken' | null>
  /**
   * Removes the watch at once for all readers. Its deliveries, possibly a million, are deleted by
   * `deliveries.deleteExpired`. Returns false if the account has no such watch.
   */
  remove(accountId: string, id: string): Promise<boolean>
  /**
   * Returns the watches changed after `revision`, in order, at most `limit`: each watch once, in
   * its current state. Revisions are 1, 2, 3 … over all watches in commit order, so a reader that
   * has seen n never finds a lower one afterwards.
   */
  changedAfter(revision: number, limit: number): Promise<WatchChange[]>
  /**
   * Calls `listener` soon after this or another process changes a watch. Notifications may be lost,
   * as in `EventLog.onAppend`.
   */
  onChange(listener: () => void): () => void
}

export interface WatchChange {
  readonly revision: number
  readonly id: string
  /** Null if the watch was removed. */
  readonly watch: WatchToMatch | null
}

/** The fields that decide whether a watch gets an event. */
export interface WatchToMatch {
  readonly canonicalFilter: string
  readonly events: readonly WatchEvent[]
  readonly status: WatchStatus
  readonly createdSeq: number
  readonly host: string
}
