import type {
  NewWatch,
  VapidKeys,
  Watch,
  WatchEvent,
  WatchPatch,
  WatchSecret,
  WatchStatus,
} from '../../domain/watch.ts'
import type { WatchHeader } from '../../domain/watch-headers.ts'

/** The account has no area or list of sites with this id, or as many watches use it as may. */
export type FilterRefusal = 'unknown_area' | 'area_full' | 'unknown_sites' | 'sites_full'
export type WatchRefusal = 'name_taken' | 'too_many' | FilterRefusal
/**
 * `unknown_header`: the value of a header that the watch does not have is to be kept;
 * `headers_leave_origin`: values are to be kept although the URL moves to another origin.
 */
export type ChangeRefusal =
  | 'name_taken'
  | 'too_many_secrets'
  | 'unknown_header'
  | 'headers_leave_origin'
  | FilterRefusal

/** A watch that uses a saved area or list of sites. */
export interface UsingWatch {
  readonly id: string
  readonly name: string
}

export interface Watches {
  /**
   * Refuses the watch if the account has one of that name, or `max` watches, even if others add
   * concurrently. `createdSeq` is the log's head, locked until the watch is committed: a reader
   * that has seen a later event also finds this watch.
   */
  add(watch: NewWatch, max: number): Promise<Watch | WatchRefusal>
  /** Without an account, whoever's it is. */
  find(accountId: string | null, id: string): Promise<Watch | null>
  /** Newest first; only those older than `before` if given. */
  list(accountId: string, limit: number, before: string | null): Promise<Watch[]>
  /** Returns ids of the account's watches, newest first; their filters are not read. */
  ids(accountId: string, limit: number): Promise<string[]>
  /**
   * Returns the changed watch, or null if there is none. Fields not in the patch are kept; if two
   * callers change the same field at once, the later one wins. Refuses a rotation that would leave
   * more than `MAX_SECRETS` valid secrets, and keeping the value of a header that is not there. A
   * new URL, or resuming, clears the failures.
   */
  change(accountId: string, id: string, patch: WatchPatch, now: number): Promise<Watch | ChangeRefusal | null>
  /**
   * Disables the watch if it is active and still has that URL; returns whether it did. Its pending
   * deliveries stay pending.
   */
  disable(accountId: string, id: string, cause: DisablingCause, now: number): Promise<boolean>
  /**
   * Counts a warning to the owner of a failing watch. Returns false if `number` warnings were
   * counted already, so that of several processes one sends it.
   */
  countWarning(id: string, number: number): Promise<boolean>
  /** Returns active watches resumed before the time whose parked deliveries may not all be due. */
  resuming(before: number, limit: number): Promise<ResumedWatch[]>
  /** Ends that, unless the watch has been resumed again meanwhile. */
  finishResuming(watch: ResumedWatch): Promise<void>
  /**
   * Removes the watch at once for all readers; `deliveries.deleteExpired` deletes its deliveries,
   * possibly a million. Returns false if the account has no such watch.
   */
  remove(accountId: string, id: string): Promise<boolean>
  /**
   * Returns at most `limit` watches changed after `revision`, in order, each once in its current
   * state. Revisions are 1, 2, 3 … over all watches in commit order: a reader that has seen n never
   * finds a lower one afterwards. Removals that were pruned are not returned: a reader that had
   * read up to `revision` and is told `prunedTo` must forget all watches and read them again from
   * 0.
   */
  changedAfter(revision: number, limit: number): Promise<WatchChanges>
  /** Returns the secrets and headers of up to `limit` watches with an id above `afterId`, by id. */
  storedSecrets(afterId: string, limit: number): Promise<StoredSecrets[]>
  /**
   * Replaces secrets and headers of watches where both are still as they were read; no revision is
   * made. Returns how many.
   */
  replaceSecrets(changes: readonly SecretsReplacement[]): Promise<number>
  /**
   * Forgets removed watches whose deliveries are gone, a while after they were first found so: at
   * an earlier call, before the time `before`. Returns how many, at most `limit`.
   */
  pruneRemoved(now: number, before: number, limit: number): Promise<number>
  /** Calls `listener` when any process changes a watch; unreliable, as `EventLog.onAppend`. */
  onChange(listener: () => void): () => void
}

/** A watch's lists of secrets and headers as they are stored, in JSON text. */
export interface StoredSecrets {
  readonly watchId: string
  readonly accountId: string
  /** Null for webhooks. */
  readonly channel: string | null
  readonly url: string
  readonly text: string
  /** Null if there are none. */
  readonly headersText: string | null
}

export interface SecretsReplacement extends StoredSecrets {
  readonly secrets: readonly WatchSecret[]
  readonly headers: readonly WatchHeader[]
}

export interface WatchChanges {
  readonly changes: readonly WatchChange[]
  /** The last pruned removal after the given revision; null if none was pruned. */
  readonly prunedTo: number | null
}

export interface ResumedWatch {
  readonly id: string
  readonly accountId: string
  readonly resumedAt: number
}

export interface DisablingCause {
  readonly url: string
  readonly reason: string
}

export interface WatchChange {
  readonly revision: number
  readonly id: string
  /** Null if removed. */
  readonly watch: WatchToMatch | null
}

/** The fields that decide whether a watch gets an event. */
export interface WatchToMatch {
  readonly canonicalFilter: string
  readonly events: readonly WatchEvent[]
  readonly status: WatchStatus
  readonly createdSeq: number
  readonly host: string
  readonly accountId: string
  /** As JSON text; null if messages go out at once. */
  readonly schedule: string | null
  /** Names who reads the messages, within the account; null for a webhook. */
  readonly receiver: string | null
  /** The end of the log when its filter was last changed; 0 if never. */
  readonly filterSeq: number
}

/** Of a watch that belongs to no account of its own. */
export interface StoredAlert {
  readonly watchId: string
  readonly createdAt: number
  /** Null until its receiver has agreed; its watch is paused until then. */
  readonly confirmedAt: number | null
}

/**
 * Alerts without an account: each is a watch of the service's own account, with one row beside it.
 */
export interface Alerts {
  /**
   * Adds the watch, which must be paused, and its alert. Refuses if the receiver was asked at
   * `askedSince` or later and has not answered, even if others ask concurrently: nobody is asked
   * twice.
   */
  add(watch: NewWatch, recipientHash: string, askedSince: number): Promise<boolean>
  /**
   * Starts the alert: its watch gets the events after this moment. Once started, it stays so. Null
   * if there is none, or if it was asked for before `askedSince`; refuses if the receiver has `max`
   * others.
   */
  confirm(watchId: string, askedSince: number, max: number, now: number): Promise<'confirmed' | 'too_many' | null>
  /**
   * Adds the watch, which is active, and its alert as confirmed. Returns false if the receiver has
   * `max` others.
   */
  start(watch: NewWatch, recipientHash: string, max: number): Promise<boolean>
  /** The alert is another receiver's: its browser has another address. */
  setRecipient(watchId: string, recipientHash: string): Promise<void>
  find(watchId: string): Promise<StoredAlert | null>
  /**
   * Ids of watches that nobody confirmed in time, or that are disabled for another reason than
   * `except`.
   */
  toRemove(unconfirmedBefore: number, except: string, limit: number): Promise<string[]>
  /** The receiver of this alert may be asked again: the question never reached it. */
  forgetRequest(watchId: string): Promise<void>
  /** Forgets who was asked before the time. */
  deleteRequests(before: number): Promise<void>
}

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
