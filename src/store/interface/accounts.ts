import type { Account, AccountPatch, AccountStatus, Role } from '../../domain/accounts.ts'
import type { Key } from '../../domain/keys.ts'

export interface AccountFilter {
  /** In its canonical form. Also finds the accounts that only claim it. */
  readonly email?: string
  readonly role?: Role
  readonly status?: AccountStatus
}

/** The part of a deleted account that nodes have in memory. */
export interface RemovedAccount {
  readonly keyHashes: readonly string[]
  readonly sessionHashes: readonly string[]
}

export interface Accounts {
  /**
   * Creates an account, and its first key if there is one, in one transaction. If it owns its
   * address, claims on it are cleared as by a proof; refuses if another account owns it already,
   * even if both are created concurrently.
   */
  open(account: Account, key: Key | null): Promise<true | 'address_taken'>
  /** Creates the account unless it exists. */
  ensure(account: Account): Promise<void>
  find(id: string): Promise<Account | null>
  /** The account that owns the address, which is in its canonical form; blocked ones too. */
  findOwner(email: string): Promise<Account | null>
  /** Newest first; only those older than `before` if given. */
  list(filter: AccountFilter, limit: number, before: string | null): Promise<Account[]>
  /**
   * Returns the changed account, or null if there is none or it was deleted. Refuses to block or
   * demote the last active admin that has a way in (a valid key, a passkey or a verified address),
   * even if others change accounts concurrently. Blocking disables the account's active watches,
   * and unblocking enables those again; a higher role removes its passkeys: all in the same
   * transaction.
   */
  change(id: string, patch: AccountPatch, now: number): Promise<Account | 'last_admin' | null>
  /**
   * Deletes what belongs to the account, in one transaction: its watches as `Watches.remove` does,
   * its areas, passkeys, sign-in links and stored answers. Keys are revoked and sessions ended;
   * both stay without names, as does the account, without address, name and limits. Its name and
   * address are taken out of the audit log too. Later writes for the account reject with
   * `AccountDeleted`. Refuses an account with a role above client; null if there is none or it was
   * deleted before.
   */
  remove(id: string, now: number): Promise<RemovedAccount | 'has_role' | null>
  /** Returns the ids of accounts that were deleted at `time` or later. */
  deletedSince(time: number): Promise<string[]>
  countWatches(id: string): Promise<number>
  /** Ids of incidents reported by the account, newest first, older than `before`. */
  listReports(id: string, limit: number, before: string | null): Promise<string[]>
  hasReported(id: string, incidentId: string): Promise<boolean>
}

/** The most keys of an account; the store counts while it holds the account locked. */
export interface KeyCap {
  /** Keys that are neither revoked nor expired. */
  readonly valid: number
  /** Keys created within 24 hours, revoked ones included: rows in the database are bounded too. */
  readonly perDay: number
}

export type KeyRefusal = 'too_many' | 'too_many_today'

export interface KeyPatch {
  readonly name?: string | null
  readonly origins?: readonly string[]
}

export interface Keys {
  /** Refuses the key if the account has as many as `cap` says at the key's creation time. */
  add(key: Key, cap: KeyCap): Promise<true | KeyRefusal>
  findByHash(hash: string): Promise<{ key: Key; account: Account } | null>
  find(id: string): Promise<Key | null>
  /**
   * Returns keys, newest first, revoked and expired ones included; of one account, or of all if
   * null; only those older than `before` if given.
   */
  list(accountId: string | null, limit: number, before: string | null): Promise<Key[]>
  /** Counts the keys of the account that are neither revoked nor expired. */
  countValid(accountId: string, now: number): Promise<number>
  change(accountId: string, id: string, patch: KeyPatch): Promise<Key | null>
  /**
   * Returns the revoked key, with its first revocation time, or null if there is no such key. With
   * `refuse`, the last valid live key of the account stays.
   */
  revoke(accountId: string, id: string, now: number, last?: 'allow' | 'refuse'): Promise<Key | 'last_key' | null>
  /** Returns the hashes of keys revoked, or whose account was blocked, at `time` or later. */
  revokedSince(time: number): Promise<string[]>
  /**
   * In one transaction, adds `successor` and lets the old key expire at `oldExpiresAt` or at its
   * own earlier expiry. Writes nothing if the key is missing, revoked or expired, or if `cap`
   * refuses the successor.
   */
  rotate(
    accountId: string,
    id: string,
    successor: Key,
    oldExpiresAt: number,
    cap: KeyCap,
  ): Promise<true | 'not_valid' | KeyRefusal>
  /**
   * Makes `key` the only valid key that came from the environment, in one transaction: adds it
   * unless its hash is known, and revokes the others. It joins the account of its predecessor, or
   * else `account`, which is created.
   */
  setEnvironmentKey(account: Account, key: Key, now: number): Promise<void>
  /**
   * Deletes at most `limit` keys that were revoked or expired before `before` and have reported
   * nothing. Returns how many.
   */
  deleteDead(before: number, limit: number): Promise<number>
}

/** A mailed link to a key. Using it proves the address. */
export interface Signup {
  readonly tokenHash: string
  readonly purpose: 'sign_up' | 'recovery'
  readonly email: string
  readonly name: string | null
  readonly createdAt: number
  readonly expiresAt: number
}

export interface Signups {
  add(signup: Signup): Promise<void>
  find(tokenHash: string, purpose: Signup['purpose'], now: number): Promise<Signup | null>
  /**
   * Deletes the signup, proves its address for `account` as `ProofRefusal` says, and adds the key,
   * which is that account's, in one transaction: for exactly one caller, and only before the signup
   * expires. Null if there is none.
   */
  redeem(
    tokenHash: string,
    purpose: Signup['purpose'],
    account: Account,
    key: Key,
    cap: KeyCap,
    now: number,
  ): Promise<true | KeyRefusal | ProofRefusal | null>
}

/**
 * A proof of an address makes `account` its owner, opening it if it is new; the first proof takes
 * the address from all accounts that only claimed it. `other_owner`: meanwhile another account is
 * the owner; the caller looks for it again.
 */
export type ProofRefusal = 'other_owner' | 'blocked'

/** Counts mails by day; survives restarts and holds over all nodes. */
export interface Mails {
  /** Counts one mail unless `subject` has had `max` on that day; false if so. */
  countMail(subject: string, day: string, max: number): Promise<boolean>
  deleteBefore(day: string): Promise<void>
}

export interface UsageCount {
  /** A key; for sessions without a key, the account. */
  readonly keyId: string
  /** UTC date, for example `2026-11-15`. */
  readonly day: string
  readonly requests: number
  /** Time of the last of these requests. */
  readonly lastAt: number
}

export interface DayUsage {
  readonly day: string
  readonly requests: number
}

export interface KeyUsage {
  readonly keyId: string
  readonly requests: number
  readonly lastUsedAt: number | null
}

export interface Usage {
  addCounts(counts: readonly UsageCount[]): Promise<void>
  /** Deletes up to `limit` counts of days before `day`, except the last of each key. */
  deleteBefore(day: string, limit: number): Promise<number>
  /** Counts requests with any key of the account. */
  countRequests(accountId: string, day: string): Promise<number>
  /** Days with requests by any key of the account, from `fromDay`, in order. */
  byDay(accountId: string, fromDay: string): Promise<DayUsage[]>
  /** Requests from `fromDay`, and the last use ever, of the keys that were used. */
  byKey(keyIds: readonly string[], fromDay: string): Promise<KeyUsage[]>
  /** Requests from `fromDay` of the accounts that made any. */
  byAccount(accountIds: readonly string[], fromDay: string): Promise<{ accountId: string; requests: number }[]>
}

export interface QuotaRequest {
  readonly caller: string
  /** The most that all nodes together may reserve in one window. */
  readonly limit: number
  readonly amount: number
  /** Milliseconds. A window starts with the first reservation after the last. */
  readonly window: number
}

export interface QuotaReservation {
  /** The amount requested, or what was left if less. */
  readonly amount: number
  /** The amount that other nodes can still reserve in this window. */
  readonly left: number
  readonly endsAt: number
}

/**
 * Limits that nodes share by reserving parts of a caller's quota in advance. Concurrent
 * reservations never exceed a window's limit. Unlike the rest of a store, quotas are not durable: a
 * crash of the database may start a new window.
 */
export interface Quotas {
  /** Reserves for distinct callers. Returns results in the order of the requests. */
  reserve(requests: readonly QuotaRequest[], now: number): Promise<QuotaReservation[]>
  deleteExpired(now: number): Promise<void>
}

/** An account that did something, with one of its keys or in a session. */
export interface AuditActor {
  readonly accountId: string | null
  readonly keyId: string | null
  readonly name: string
}

export interface NewAuditEntry {
  readonly at: number
  readonly by: AuditActor
  /** A noun and a verb, such as `account.change`, `key.revoke` or `session.create`. */
  readonly action: string
  /** The id of what it was done to. */
  readonly subject: string
  readonly note: string | null
  /** JSON values: the changed fields before and after; null if there were none. */
  readonly before: unknown
  readonly after: unknown
}

export interface AuditEntry extends NewAuditEntry {
  readonly id: string
}

/** Null is no restriction. Times are milliseconds, half-open. */
export interface AuditQuery {
  readonly accountId: string | null
  readonly incidentId: string | null
  readonly from: number | null
  readonly to: number | null
}

/** The last entry of a page. */
export interface AuditPosition {
  readonly at: number
  readonly id: string
}

/**
 * Records actions beside the history of incidents, which the list includes. `Store.withAudit`
 * writes entries, together with what they are about.
 */
export interface Audit {
  /** Newest first. The steps of incidents are entries with the action `incident.<step>`. */
  list(query: AuditQuery, before: AuditPosition | null, limit: number): Promise<AuditEntry[]>
  /** Deletes up to `limit` entries from before `time`, but no step of an incident. */
  deleteBefore(time: number, limit: number): Promise<number>
}
