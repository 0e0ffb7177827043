import type { VapidKeys } from '../domain/channel.ts'
import type { Watch } from '../domain/watch.ts'

/** Notifications in browsers: the keys that sign them, and when a browser was last seen. */
export interface Push {
  /** Returns the keys of all nodes; stores `proposed` if there are none. */
  keys(proposed: VapidKeys): Promise<VapidKeys>
  /** The keys as they are stored; null if there are none. */
  storedKeys(): Promise<VapidKeys | null>
  /**
   * Replaces the keys if they are still as they were read; null removes them. Returns whether it
   * did.
   */
  replaceKeys(before: VapidKeys, after: VapidKeys | null): Promise<boolean>
  /**
   * Notes that a browser was seen, for the watches whose shown address this is, unless it was noted
   * after `notedBefore`. Returns for how many.
   */
  recordSeen(shownAddress: string, now: number, notedBefore: number): Promise<number>
  /** The watches of a browser, of all accounts and of none, by what is shown of its address. */
  watchesOf(shownAddress: string, limit: number): Promise<Watch[]>
  /** Active watches whose browser was not seen, and which nobody has changed, since the time. */
  unseen(since: number, limit: number): Promise<UnseenWatch[]>
}

export interface UnseenWatch {
  readonly watchId: string
  readonly accountId: string
  readonly url: string
}
