import type { Key, Scope } from './keys.ts'

export const ROLES = ['client', 'reporter', 'editor', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** The statuses that an admin can set. */
export const SETTABLE_STATUSES = ['active', 'blocked'] as const
export type SettableStatus = (typeof SETTABLE_STATUSES)[number]

/**
 * `deleted`: only the id, the role and the times are left, for keys and entries that name the
 * account.
 */
export const ACCOUNT_STATUSES = [...SETTABLE_STATUSES, 'deleted'] as const
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number]

/** The limits that an admin can set for one account, by their names on the wire. */
export const LIMIT_NAMES = [
  'requests_per_minute',
  'publishable_requests_per_minute',
  'keys',
  'watches',
  'areas',
  'site_lists',
  'streams',
  'watch_tests_per_minute',
  'previews_per_minute',
  'site_uploads_per_minute',
] as const
export type LimitName = (typeof LIMIT_NAMES)[number]

/** An absent limit is the service's default. */
export type AccountLimits = Readonly<Partial<Record<LimitName, number>>>

/** The tenant: limits, usage and fairness count for an account over all its keys. */
export interface Account {
  readonly id: string
  /** In its canonical form. Unless the account owns it, it may be somebody else's: a claim. */
  readonly email: string | null
  /**
   * Whether the address is the account's: one account at most owns it, which proved it first or was
   * opened for it by an operator.
   */
  readonly ownsEmail: boolean
  /** Time at which a mailed link proved the address, which the account then owns; else null. */
  readonly emailVerifiedAt: number | null
  readonly name: string | null
  readonly role: Role
  readonly status: AccountStatus
  readonly limits: AccountLimits
  readonly createdAt: number
}

/** Absent fields stay as they are. */
export interface AccountPatch {
  /** Null takes the name away. */
  readonly name?: string | null
  readonly role?: Role
  readonly status?: SettableStatus
  /** Replaces all limits of the account. */
  readonly limits?: AccountLimits
}

/** Reason of watches that were disabled because their account was blocked. */
export const ACCOUNT_BLOCKED_REASON = 'The account is blocked.'

/** Stands in the audit log where the name of a deleted account stood. */
export const DELETED_ACCOUNT_NAME = 'deleted account'

/** The fields by which an owner tells accounts apart. */
type AccountIdentity = Pick<Account, 'id' | 'email' | 'name'>

/**
 * Whether the text is what confirms the deletion of the account: its address, or else its name or
 * id.
 */
export function confirmsDeletion({ email, name, id }: AccountIdentity, text: string): boolean {
  if (email === null) return text.trim() === (name ?? id).trim()
  return text.trim().toLowerCase() === email.toLowerCase()
}

/** Names the required confirmation, for an error. */
export function deletionConfirmation({ email, name }: Omit<AccountIdentity, 'id'>): 'e-mail address' | 'name' | 'id' {
  if (email !== null) return 'e-mail address'
  return name === null ? 'id' : 'name'
}

/** Each role has the scopes of the one before it, and more. */
export const SCOPES_BY_ROLE: Readonly<Record<Role, readonly Scope[]>> = {
  client: ['read', 'watch'],
  reporter: ['read', 'watch', 'report'],
  editor: ['read', 'watch', 'report', 'review'],
  admin: ['read', 'watch', 'report', 'review', 'admin'],
}

/** Whether `role` may do more than `other`. */
export function isHigherRole(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) > ROLES.indexOf(other)
}

/** `operate` is the older name of all these scopes together. */
const OPERATE: readonly Scope[] = ['report', 'review', 'admin']

/** Replaces `operate` by the scopes it stands for. */
export function expandScopes(scopes: readonly Scope[]): Scope[] {
  return [...new Set(scopes.flatMap((scope) => (scope === 'operate' ? OPERATE : [scope])))]
}

/** Whether the key may do what needs `scope`: a role that shrinks takes scopes from its keys. */
export function hasScope(key: Key, role: Role, scope: Scope): boolean {
  if (scope === 'operate') return OPERATE.every((part) => hasScope(key, role, part))
  const given = key.scopes.includes(scope) || (key.scopes.includes('operate') && OPERATE.includes(scope))
  return given && SCOPES_BY_ROLE[role].includes(scope)
}

/** The scopes that the key's role leaves it, named as they were stored where all are left. */
export function scopesLeft(key: Key, role: Role): Scope[] {
  const left = key.scopes.flatMap((scope) => (hasScope(key, role, scope) ? [scope] : expandScopes([scope])))
  return [...new Set(left)].filter((scope) => hasScope(key, role, scope))
}

/** Whether a key may create, change, rotate or delete keys with these scopes. */
export function mayManage(key: Key, role: Role, scopes: readonly Scope[]): boolean {
  return expandScopes(scopes).every((scope) => hasScope(key, role, scope))
}

/** The lowest role that has all these scopes. */
export function roleFor(scopes: readonly Scope[]): Role {
  const needed = expandScopes(scopes)
  return ROLES.find((role) => needed.every((scope) => SCOPES_BY_ROLE[role].includes(scope))) ?? 'admin'
}

/** The address, unless it is only a claim: nothing is shown or sent to others by a claim. */
export function ownEmail({ email, ownsEmail }: Pick<Account, 'email' | 'ownsEmail'>): string | null {
  return ownsEmail ? email : null
}

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
  /** Time of the last use, up to a minute late. */
  readonly seenAt: number
  readonly expiresAt: number
  readonly endedAt: number | null
}

/** Returns when the session ends unless it is used again. */
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

/**
 * A credential of WebAuthn: the account's public key, whose private part never leaves the device.
 */
export interface Passkey {
  readonly id: string
  readonly accountId: string
  /** The device's own name of the credential, in base64url. */
  readonly credentialId: string
  /** COSE, in base64url. */
  readonly publicKey: string
  /** Signatures that the device has counted; 0 if it does not count. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  /** True if it is synchronised to other devices of the person. */
  readonly backedUp: boolean
  readonly createdAt: number
  readonly lastUsedAt: number | null
}
