import type { Account, Key } from '../domain/key.ts'

export interface Accounts {
  /** Creates an account and its first key in one transaction. */
  open(account: Account, key: Key): Promise<void>
  find(id: string): Promise<Account | null>
}

export interface Keys {
  add(key: Key): Promise<void>
  findByHash(hash: string): Promise<{ key: Key; account: Account } | null>
  /** Returns all keys of the account, newest first, revoked and expired ones included. */
  list(accountId: string): Promise<Key[]>
  /** Returns the revoked key, with its first revocation time, or null if there is no such key. */
  revoke(accountId: string, id: string, now: number): Promise<Key | null>
  /** Returns the hashes of the keys revoked at `time` or later. */
  revokedSince(time: number): Promise<string[]>
  /**
   * In one transaction, adds `successor` and lets the old key expire at `oldExpiresAt` or at its
   * own earlier expiry. Returns false, and writes nothing, if the key is missing, revoked or
   * expired.
   */
  rotate(accountId: string, id: string, successor: Key, oldExpiresAt: number, now: number): Promise<boolean>
}

/** A request for a key that awaits confirmation by e-mail. */
export interface Signup {
  readonly tokenHash: string
  readonly email: string
  readonly name: string | null
  readonly createdAt: number
  readonly expiresAt: number
}

export interface Signups {
  add(signup: Signup): Promise<void>
  /** Deletes the signup and returns it: to exactly one caller, and only before it expires. */
  consume(tokenHash: string, now: number): Promise<Signup | null>
}
