import type { Accounts, Audit, Keys, Mails, NewAuditEntry, Quotas, Signups, Usage } from './interface/accounts.ts'
import type { Areas, SiteLists } from './interface/areas.ts'
import type { Deliveries, FanOut, Listening, Owners } from './interface/deliveries.ts'
import type { Desk } from './interface/desk.ts'
import type { StoredGazetteer } from './interface/gazetteer.ts'
import type { Idempotency, Receipt } from './interface/idempotency.ts'
import type { Imports } from './interface/imports.ts'
import type { Chain, EventLog, Incidents, LogReader, Redactions } from './interface/incidents.ts'
import type { Backups, ClockReadings, TableSizes } from './interface/maintenance.ts'
import type { Challenges, Passkeys, Sessions, SignInLinks } from './interface/sign-in.ts'
import type { Publishers, Sources } from './interface/sources.ts'
import type { Tips } from './interface/tips.ts'
import type { Alerts, Push, Watches } from './interface/watches.ts'

export type * from './interface/accounts.ts'
export type * from './interface/areas.ts'
export * from './interface/deliveries.ts'
export * from './interface/desk.ts'
export type * from './interface/gazetteer.ts'
export type * from './interface/idempotency.ts'
export type * from './interface/imports.ts'
export * from './interface/incidents.ts'
export * from './interface/maintenance.ts'
export type * from './interface/sign-in.ts'
export type * from './interface/sources.ts'
export type * from './interface/tips.ts'
export type * from './interface/watches.ts'

/**
 * The database, one interface per noun. Every store promises:
 *
 * - **Atomic**: either all writes of a call are stored or none is.
 * - **Durable**: once a call has resolved, its writes survive a crash of the process, a power
 *   failure and a restart.
 * - **Commit order**: `seq` is 1, 2, 3 … in commit order, without gaps except those that restores
 *   by early builds have left. A reader that has seen `seq` n never sees a lower one appear
 *   afterwards, unless the database was put back or has lost its end: the chain tells.
 * - **Recovers from outages**: while the database cannot be reached or cannot write, calls reject
 *   with `StoreUnavailable` and write nothing in part; once it is back, calls work again without a
 *   restart. If only the reply was lost, all writes of the call are stored, and a retried save
 *   rejects with `StaleVersion`.
 * - **Exact text**: text is read as it was written. A call with text that a database cannot hold
 *   (a NUL character, half of a surrogate pair) rejects with a `TypeError`, reads included. Inside
 *   an incident JSON escapes both, so any text is allowed there.
 * - **Refusals**: a write that refuses returns null, false or a word, and has written nothing.
 * - **Deleted accounts** get nothing: adding a key, session, passkey, area or watch to one rejects
 *   with `AccountDeleted`, even if the account is deleted concurrently.
 * - **Closing** waits for running calls; later calls reject with a plain `Error`.
 *
 * Every method that writes a time takes it as an argument.
 */
export interface Store extends AsyncDisposable {
  readonly incidents: Incidents
  readonly desk: Desk
  readonly audit: Audit
  readonly events: EventLog
  readonly chain: Chain
  readonly reader: LogReader
  readonly redactions: Redactions
  readonly publishers: Publishers
  readonly gazetteer: StoredGazetteer
  readonly imports: Imports
  readonly accounts: Accounts
  readonly keys: Keys
  readonly signups: Signups
  readonly mails: Mails
  readonly sessions: Sessions
  readonly signInLinks: SignInLinks
  readonly passkeys: Passkeys
  readonly challenges: Challenges
  readonly tips: Tips
  readonly usage: Usage
  readonly idempotency: Idempotency
  readonly areas: Areas
  readonly siteLists: SiteLists
  readonly watches: Watches
  readonly alerts: Alerts
  readonly fanOut: FanOut
  readonly listening: Listening
  readonly deliveries: Deliveries
  readonly push: Push
  readonly owners: Owners
  readonly sources: Sources
  readonly backups: Backups
  readonly clock: ClockReadings
  readonly tables: TableSizes
  /** Null if only one node can use the store: it counts its limits in memory. */
  readonly quotas: Quotas | null
  /**
   * Whether the database is away, as far as is known from the calls so far: it has refused the
   * latest, or leaves them without an answer. What can do without it must then not wait for it.
   */
  isAway(): boolean
  /** Reads the clock of the database, which all nodes share; null if it has none of its own. */
  readonly readTime: (() => Promise<number>) | null
  /**
   * A store for the one write that answers a request: a call of it commits what it writes together
   * with the receipt, in one transaction. If the claim was lost to another request it rejects with
   * `ClaimLost` and writes nothing; if the write refuses, the receipt is not stored either.
   */
  withReceipt(receipt: Receipt): ReceiptStore
  /**
   * A store for one write that must be on record: a call of it commits what it writes together with
   * the entry, in one transaction. If the write refuses, there is no entry; if the entry cannot be
   * written, neither is the rest.
   */
  withAudit(entry: NewAuditEntry): WritableStore
}

/** The parts of a store that a request writes to. */
export type WritableStore = Pick<
  Store,
  | 'incidents'
  | 'desk'
  | 'redactions'
  | 'publishers'
  | 'gazetteer'
  | 'imports'
  | 'accounts'
  | 'keys'
  | 'sessions'
  | 'signInLinks'
  | 'passkeys'
  | 'areas'
  | 'siteLists'
  | 'watches'
  | 'deliveries'
  | 'sources'
  | 'withAudit'
>

export interface ReceiptStore extends WritableStore {
  /** True once a write was committed with the receipt. */
  readonly receiptStored: boolean
}

export type NotificationTopic = 'events' | 'watches' | 'deliveries' | 'desk' | 'gazetteer'

/** The database cannot be reached, or cannot write at present. Retry later. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/** Every connection to the database is in use, and none became free in time. Retry soon. */
export class StoreBusy extends StoreUnavailable {
  override readonly name = 'StoreBusy'
}

/** The disk of the database is full. Writes fail until an operator frees space; reads work. */
export class StoreFull extends StoreUnavailable {
  override readonly name = 'StoreFull'
}

/** Another writer has stored a different version of this incident first. */
export class StaleVersion extends Error {
  override readonly name = 'StaleVersion'
  readonly incidentId: string
  constructor(incidentId: string) {
    super(`${incidentId} has another version than expected`)
    this.incidentId = incidentId
  }
}

/** The request took so long that another one with the same idempotency key has taken over. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
  constructor() {
    super('another request holds the claim')
  }
}

/** The account was deleted before the call, or while it waited. Nothing was written. */
export class AccountDeleted extends Error {
  override readonly name = 'AccountDeleted'
  constructor() {
    super('the account was deleted')
  }
}

/**
 * A newer build has migrated the database, and this build cannot do that with it any more. Nothing
 * was written. Another node can: retry.
 */
export class NewerSchema extends StoreUnavailable {
  override readonly name = 'NewerSchema'
}

/** This build cannot use the database, and retrying does not help: newer schema, damaged file. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable'
}
