import type { Account, Passkey, Session } from '../../domain/accounts.ts'
import type { Key } from '../../domain/keys.ts'
import type { ProofRefusal } from './accounts.ts'

export interface StoredSession {
  readonly session: Session
  readonly account: Account
  /** The key that it was opened with; null if there was none, or it is gone. */
  readonly key: Key | null
}

export interface Sessions {
  /** Adds the session. Above `max` open sessions of the account, those unused for longest end. */
  open(session: Session, max: number): Promise<void>
  /** Also finds sessions that have ended or expired. */
  findByHash(hash: string): Promise<StoredSession | null>
  /**
   * Sessions of the account that have not ended, were used after `seenAfter` and expire after
   * `now`.
   */
  list(accountId: string, now: number, seenAfter: number): Promise<StoredSession[]>
  /** Never sets the time back. */
  recordUse(id: string, now: number): Promise<void>
  /** Null if the account has no such session. */
  end(accountId: string, id: string, now: number): Promise<{ readonly hash: string } | null>
  /** Ends all sessions of the account but `kept`, and returns the hashes of those it ended. */
  endAll(accountId: string, now: number, kept: string | null): Promise<string[]>
  /** Returns hashes of sessions that ended, or whose key or account did, at `time` or later. */
  endedSince(time: number): Promise<string[]>
  /** Deletes at most `limit` sessions that ended or expired before `before`. Returns how many. */
  deleteExpired(before: number, limit: number): Promise<number>
}

/** A link that signs somebody in, once. */
export interface SignInLink extends LinkTarget {
  readonly tokenHash: string
  readonly createdAt: number
  readonly expiresAt: number
}

/** Either an account, or the address that the link was mailed to. */
export interface LinkTarget {
  /** Null for a mailed link: it signs in to the account that owns the address when it is used. */
  readonly accountId: string | null
  /** In its canonical form; using the link proves it. */
  readonly email: string | null
}

export type LinkRefusal = 'unknown' | 'used' | 'expired' | 'blocked'

export interface SignInLinks {
  add(link: SignInLink): Promise<void>
  /** Used and expired links included. */
  find(tokenHash: string): Promise<LinkTarget | null>
  /**
   * Uses the link and opens the session for `account`, in one transaction; of several callers
   * exactly one succeeds. A mailed link proves its address for the account, as `ProofRefusal` says.
   * `max` as in `Sessions.open`.
   */
  redeem(
    tokenHash: string,
    account: Account,
    session: Omit<Session, 'accountId'>,
    max: number,
  ): Promise<true | LinkRefusal | ProofRefusal>
  /**
   * Deletes links that expired before `before`; until then a used link is told from an unknown one.
   */
  deleteExpired(before: number): Promise<void>
}

export interface Passkeys {
  /** Refuses the passkey if the account has `max`, or if the credential is known. */
  add(passkey: Passkey, max: number): Promise<true | 'too_many' | 'known'>
  list(accountId: string): Promise<Passkey[]>
  findByCredential(credentialId: string): Promise<{ passkey: Passkey; account: Account } | null>
  /**
   * Notes a sign-in. False if the counter is not above the stored one: the credential was copied.
   */
  recordUse(id: string, counter: number, now: number): Promise<boolean>
  /**
   * Removes the passkey and ends the sessions opened with it, but for `kept`. Returns their hashes,
   * or null if the account has no such passkey.
   */
  remove(accountId: string, id: string, now: number, kept: string | null): Promise<string[] | null>
}

/** A random value that a passkey signs; it is used once. */
export interface Challenge {
  readonly hash: string
  /** The account that adds a passkey; null for signing in. */
  readonly accountId: string | null
  readonly expiresAt: number
}

export interface Challenges {
  /** Deletes expired challenges too. */
  add(challenge: Challenge, now: number): Promise<void>
  /** Deletes the challenge. True for exactly one caller, and only before it expires. */
  consume(hash: string, accountId: string | null, now: number): Promise<boolean>
}
