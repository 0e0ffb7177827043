import type { NewWatch, Watch, WatchEvent, WatchPatch, WatchStatus } from '../domain/watch.ts'

export type WatchRefusal = 'name_taken' | 'too_many'

export interface Watches {
  /**
   * Refused where the account has a watch of that name, or `most` watches already: exactly, whoever else adds meanwhile.
   * `createdSeq` is the log's head, held until the watch is committed: whoever has seen a later event, and then asks for
   * the watches, finds this one.
   */
  add(watch: NewWatch, most: number): Promise<Watch | WatchRefusal>
  find(accountId: string, id: string): Promise<Watch | null>
  /** Newest first, those older than `before` only. */
  list(accountId: string, limit: number, before: string | null): Promise<Watch[]>
  /**
   * The watch as it then is, or null where the account has no such watch. Of two who change a field at once the later wins;
   * what a patch does not name it leaves alone.
   */
  change(accountId: string, id: string, patch: WatchPatch, now: number): Promise<Watch | 'name_taken' | null>
  /**
   * At once for everybody who asks; its deliveries, of which there may be a million, go with `deliveries.deleteExpired`. False
   * where the account has no such watch.
   */
  remove(accountId: string, id: string): Promise<boolean>
  /**
   * What has become of watches after `revision`, in order, at most `limit`: each watch once, as it stands. A revision is
   * 1, 2, 3 … over all watches, in the order of commits, so whoever has seen n never finds one below n afterwards.
   */
  changedAfter(revision: number, limit: number): Promise<WatchChange[]>
  /** Calls `listener` soon after this or another process has changed a watch. A wake-up only, as the log's. */
  onChange(listener: () => void): () => void
}

export interface WatchChange {
  readonly revision: number
  readonly id: string
  /** Null where it was removed. */
  readonly watch: WatchToMatch | null
}

/** What it takes to know whether a watch is owed an event. */
export interface WatchToMatch {
  readonly canonicalFilter: string
  readonly events: readonly WatchEvent[]
  readonly status: WatchStatus
  readonly createdSeq: number
  readonly host: string
}
