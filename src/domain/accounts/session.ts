import { type Account, SCOPES_BY_ROLE } from './account.ts'
import type { Key } from './key.ts'

export const SIGN_IN_METHODS = ['key', 'link', 'passkey'] as const
export type SignInMethod = (typeof SIGN_IN_METHODS)[number]

const HOUR_MS = 3_600_000
/** A session ends after so long without a request. */
export const SESSION_IDLE_MS = 12 * HOUR_MS
/** A session ends after so long in any case. */
export const SESSION_LIFETIME_MS = 7 * 24 * HOUR_MS

/**
 * A browser in which somebody has signed in. Its secret is a cookie; only the SHA-256 is stored.
 */
export interface Session {
  readonly id: string
  readonly accountId: string
  readonly method: SignInMethod
  /** The key that it was opened with; its rights are those of the key, and it ends with the key. */
  readonly keyId: string | null
  /** The passkey that it was opened with. */
  readonly passkeyId: string | null
  readonly hash: string
  /** The browser as it names itself, shortened. */
  readonly userAgent: string | null
  readonly createdAt: number
  /** When it was last used, up to a minute late. */
  readonly seenAt: number
  readonly expiresAt: number
  readonly endedAt: number | null
}

/** When the session ends unless it is used again. */
export function sessionEndsAt({ seenAt, expiresAt }: Pick<Session, 'seenAt' | 'expiresAt'>): number {
  return Math.min(expiresAt, seenAt + SESSION_IDLE_MS)
}

/**
 * The session as the key that every route and limit knows. `key` is the one that it was opened
 * with; null although the session names one means that the key is gone, and the session with it.
 */
export function sessionAsKey(session: Session, account: Account, key: Key | null): Key {
  const endedAt = session.endedAt ?? key?.revokedAt ?? (session.keyId !== null && key === null ? 0 : null)
  return {
    id: session.keyId ?? session.id,
    accountId: session.accountId,
    kind: 'session',
    name: key?.name ?? null,
    hash: session.hash,
    hint: session.hash.slice(-4),
    scopes: session.keyId === null ? SCOPES_BY_ROLE[account.role] : (key?.scopes ?? []),
    origins: [],
    ratePerMinute: null,
    createdAt: session.createdAt,
    expiresAt: Math.min(sessionEndsAt(session), key?.expiresAt ?? Number.POSITIVE_INFINITY),
    revokedAt: endedAt,
    fromEnvironment: false,
  }
}
