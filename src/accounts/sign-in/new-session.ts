import { randomBytes } from 'node:crypto'
import { SESSION_LIFETIME_MS, type Session } from '../../domain/accounts.ts'
import { newIdentifier } from '../../domain/identifier.ts'
import { hashSecret } from '../keys/hash-secret.ts'

/** Open sessions of an account; a further one ends the one that was unused for longest. */
export const MAX_SESSIONS = 50
const MAX_USER_AGENT = 200

/** A session with its secret, which only the browser's cookie keeps. */
export interface NewSession {
  readonly session: Omit<Session, 'accountId'>
  readonly secret: string
}

export function newSession(
  opened: Pick<Session, 'method'> & Partial<Pick<Session, 'keyId' | 'passkeyId'>>,
  userAgent: string | undefined,
  now: number,
): NewSession {
  const secret = randomBytes(32).toString('base64url')
  const session = {
    id: newIdentifier('session', now, randomBytes),
    method: opened.method,
    keyId: opened.keyId ?? null,
    passkeyId: opened.passkeyId ?? null,
    hash: hashSecret(secret),
    userAgent: userAgent?.slice(0, MAX_USER_AGENT) || null,
    createdAt: now,
    seenAt: now,
    expiresAt: now + SESSION_LIFETIME_MS,
    endedAt: null,
  }
  return { session, secret }
}
