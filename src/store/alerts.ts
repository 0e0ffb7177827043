import type { NewWatch } from '../domain/watch.ts'

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
