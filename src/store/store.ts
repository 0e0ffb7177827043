import type { SourceClass } from '../domain/confidence/weights.ts'
import type { EventKind, Incident, Status } from '../domain/incident.ts'
import type { Account, Key } from '../domain/key.ts'
import type { HistoryEntry, ModerationRecord } from '../domain/moderation-record.ts'
import type { Deliveries } from './deliveries.ts'
import type { FanOut } from './fan-out.ts'
import type { Owners } from './owners.ts'
import type { Quotas } from './quotas.ts'
import type { Watches } from './watches.ts'

export type * from './deliveries.ts'
export type * from './fan-out.ts'
export type * from './owners.ts'
export type * from './quotas.ts'
export type * from './watches.ts'

/**
 * Where everything is kept. What every store promises:
 *
 * - **Atomic**: a call's writes are all there or none is.
 * - **Durable**: once a call has resolved, its writes survive the process, the machine's power and a restart.
 * - **Commit order**: `seq` is 1, 2, 3 … in the order of commits, with no gap but where `skipAhead` has made one. Whoever
 *   has seen `seq` n will never see an event below n appear afterwards.
 * - **Away is not wrong**: where the database cannot be reached or cannot write, a call rejects with
 *   `StoreUnavailable`, nothing is half-written, and later calls work again once it is back, with no restart. What was
 *   lost may have been the answer only: the call's writes are then all there, and a second try of a save is `StaleVersion`.
 * - **Faithful**: text is read as it was written. Where a database could not keep it (a NUL character, half of a surrogate
 *   pair) the call rejects with a `TypeError`, reads too; inside an incident JSON escapes both, and anything goes.
 * - **Closing** waits for the calls under way; those after it reject with a plain `Error`.
 *
 * Time is an argument wherever it is written.
 */
export interface Store extends AsyncDisposable {
  readonly incidents: Incidents
  readonly events: EventLog
  readonly publishers: Publishers
  readonly imports: Imports
  readonly accounts: Accounts
  readonly keys: Keys
  readonly signups: Signups
  readonly usage: Usage
  readonly idempotency: Idempotency
  readonly watches: Watches
  readonly fanOut: FanOut
  readonly deliveries: Deliveries
  readonly owners: Owners
  /** Null where one node has the store to itself: it needs nobody to share its limits with. */
  readonly quotas: Quotas | null
}

/** The database is away or cannot write at present: try again. */
export class StoreUnavailable extends Error {
  override readonly name: string = 'StoreUnavailable'
}

/** There is no room where the database is kept: nothing more can be written until somebody makes some. Reading goes on. */
export class StoreFull extends StoreUnavailable {
  override readonly name = 'StoreFull'
}

/** Somebody else wrote a version of this incident first. */
export class StaleVersion extends Error {
  override readonly name = 'StaleVersion'
  readonly incidentId: string
  constructor(incidentId: string) {
    super(`${incidentId} has another version than expected`)
    this.incidentId = incidentId
  }
}

/** The database cannot be used by this build, now or later: a newer schema, a damaged file. */
export class StoreUnusable extends Error {
  override readonly name = 'StoreUnusable'
}

/** How an incident is to be, and the event that tells of it: null where nobody outside is told. */
export interface IncidentChange {
  readonly incident: Incident
  readonly event: EventKind | null
  /**
   * What must be stored for the change to be made; version 0 for nothing. Where it is not given: the version below, in any
   * status.
   */
  readonly replaces?: { readonly version: number; readonly status?: Status }
  /** What the desk knows of it from here on; where it is not given, what is there stays. */
  readonly moderation?: ModerationRecord
  /** Joins the incident's history. */
  readonly historyEntry?: HistoryEntry
}

/** An incident with what the desk knows of it; null for one that came without. */
export interface IncidentRecord {
  readonly incident: Incident
  readonly moderation: ModerationRecord | null
}

export interface LogEvent {
  readonly seq: number
  readonly kind: EventKind
  /** When it was committed, in milliseconds; never less than the event's before it. */
  readonly at: number
  readonly incidentId: string
  /** The incident as JSON text, as this event left it. For `incident.imported`: as it stands. */
  readonly document: string
}

export interface LogHead {
  readonly seq: number
  readonly at: number
}

export interface Incidents {
  /**
   * Writes all changes, their events and their steps in one transaction. Where something else is stored than a change
   * `replaces`: `StaleVersion`, and nothing is written. Returns the events written, in order. An import's `mark` is kept
   * in the same transaction: however it ends, its checkpoint says what is in.
   */
  save(changes: readonly IncidentChange[], now: number, mark?: ImportCheckpoint): Promise<LogEvent[]>
  /** In any status. */
  find(id: string): Promise<Incident | null>
  /** Those that are there, in any status, in no order. */
  findRecords(ids: readonly string[]): Promise<IncidentRecord[]>
  /** Those in a status other than `confirmed`, newest id first, below `before` where it is given. */
  listByStatus(status: Exclude<Status, 'confirmed'>, limit: number, before: string | null): Promise<IncidentRecord[]>
  /** Reports not decided yet that tell of something between the two times, the latest first. */
  openReports(from: number, to: number, limit: number): Promise<Incident[]>
  /** Every step, oldest first. */
  history(id: string): Promise<HistoryEntry[]>
  /** Every public incident as of one `seq`, though others write meanwhile. */
  snapshot(): Promise<Snapshot>
}

export interface Snapshot {
  readonly head: LogHead
  /** The ids of retracted incidents: they answer 410, not 404. */
  readonly retracted: readonly string[]
  /** In published order (`published_at`, then `id`). Must be read to the end or closed with `return()`. */
  readonly chunks: AsyncIterable<DocumentChunk>
}

/** Many incidents' JSON bytes, end to end: the nth lies between `ends[n - 1]` (0 for the first) and `ends[n]`. */
export interface DocumentChunk {
  readonly bytes: Uint8Array
  readonly ends: Uint32Array
}

export interface EventLog {
  /** The events after `seq`, in order, at most `limit`. */
  after(seq: number, limit: number): Promise<LogEvent[]>
  /** The incident as the event before `seq` left it, as JSON text; null where there is none, or it was an import. */
  documentBefore(incidentId: string, seq: number): Promise<string | null>
  head(): Promise<LogHead>
  /**
   * For a store that was put back to an earlier state: nothing that was given out since may be given out again with another
   * meaning. The log goes on so many further, after a gap, and so does each watch's `sequence`. Only while no service is
   * running on it.
   */
  skipAhead(count: number): Promise<LogHead>
  /** Where `seq` lies in such a gap: the last event before it, 0 for none. Null for every position that can be gone on from. */
  lastBeforeGap(seq: number): Promise<number | null>
  /**
   * Calls `listener` soon after this or another process has appended. A wake-up only saves waiting: it may come late,
   * too often, or be lost, so a follower polls as well. Returns how to stop.
   */
  onAppend(listener: () => void): () => void
}

/** The operator's own entries of the table of publishers, by the key that a publisher is known by. */
export interface Publishers {
  /** By name. */
  list(): Promise<PublisherEntry[]>
  set(entry: PublisherEntry): Promise<void>
  /** False where there was no such entry. */
  remove(key: string): Promise<boolean>
}

export interface PublisherEntry {
  readonly key: string
  readonly name: string
  readonly kind: SourceClass
  readonly updatedAt: number
}

/** How far an import has come, as `imports.find` gives it again. */
export interface ImportCheckpoint {
  readonly id: string
  readonly checkpoint: string
}

/** How far imports under way have come, so that one that was interrupted goes on. `incidents.save` keeps their marks. */
export interface Imports {
  findCheckpoint(id: string): Promise<string | null>
  deleteCheckpoint(id: string): Promise<void>
}

export interface Accounts {
  /** An account with its first key, together. */
  open(account: Account, key: Key): Promise<void>
  find(id: string): Promise<Account | null>
}

export interface Keys {
  add(key: Key): Promise<void>
  findByHash(hash: string): Promise<{ key: Key; account: Account } | null>
  /** Newest first, revoked and expired ones too. */
  list(accountId: string): Promise<Key[]>
  /** The key as it then is, or null where the account has no such key. A key revoked before keeps its time. */
  revoke(accountId: string, id: string, now: number): Promise<Key | null>
  /** The hashes of the keys revoked at `time` or later. */
  revokedSince(time: number): Promise<string[]>
  /**
   * Adds `successor` and lets the old key expire at `oldExpiresAt` (or earlier, where it would have), together.
   * False, and nothing written, where the account has no such key or it is revoked or expired at `now`.
   */
  rotate(accountId: string, id: string, successor: Key, oldExpiresAt: number, now: number): Promise<boolean>
}

/** A key asked for by e-mail, not yet fetched. */
export interface Signup {
  readonly tokenHash: string
  readonly email: string
  readonly name: string | null
  readonly createdAt: number
  readonly expiresAt: number
}

export interface Signups {
  add(signup: Signup): Promise<void>
  /** The signup is given to exactly one caller, and to none after it has expired. */
  consume(tokenHash: string, now: number): Promise<Signup | null>
}

export interface UsageCount {
  readonly keyId: string
  /** UTC, as `2026-11-15`. */
  readonly day: string
  readonly requests: number
}

export interface Usage {
  /** Adds to what is there. */
  addCounts(counts: readonly UsageCount[]): Promise<void>
  /** Requests by all keys of the account on that day. */
  countRequests(accountId: string, day: string): Promise<number>
}

export type IdempotencyClaim =
  /** Nobody has used it: the caller holds it, and must `finish` or `abandon` it. */
  | { readonly state: 'claimed' }
  /** Somebody holds it and has not finished. */
  | { readonly state: 'running'; readonly fingerprint: string }
  | { readonly state: 'finished'; readonly fingerprint: string; readonly answer: Uint8Array }

/** Remembers what a POST was answered. Answers are sealed by the caller: a store never sees what is in them. */
export interface Idempotency {
  /**
   * Exactly one of any number of callers claims an id. A claim or an answer made before `forgetBefore` does not count, nor
   * does a claim not finished and made before `lostBefore`: its holder died.
   */
  claim(
    id: string,
    fingerprint: string,
    now: number,
    forgetBefore: number,
    lostBefore: number,
  ): Promise<IdempotencyClaim>
  finish(id: string, answer: Uint8Array): Promise<void>
  abandon(id: string): Promise<void>
  /** Deletes what was made before. */
  deleteExpired(before: number): Promise<void>
}
