import { type Account, type Passkey, type Session, scopesLeft, sessionEndsAt } from '../../../domain/accounts.ts'
import type { Key } from '../../../domain/keys.ts'
import { accountResponse } from '../admin/response.ts'
import { timeResponse } from '../keys/response.ts'

export function sessionResponse(session: Session, key: Pick<Key, 'expiresAt'> | null, currentId: string | null) {
  return {
    id: session.id,
    method: session.method,
    current: session.id === currentId,
    user_agent: session.userAgent,
    key_id: session.keyId,
    created_at: timeResponse(session.createdAt),
    last_used_at: timeResponse(session.seenAt),
    expires_at: timeResponse(Math.min(sessionEndsAt(session), key?.expiresAt ?? Number.POSITIVE_INFINITY)),
  }
}

export function signedInResponse(session: Session, account: Account, key: Key) {
  return {
    session: sessionResponse(session, key, session.id),
    account: accountResponse(account),
    scopes: scopesLeft(key, account.role),
  }
}

export function passkeyResponse(passkey: Passkey) {
  return {
    id: passkey.id,
    name: passkey.name,
    synchronised: passkey.backedUp,
    created_at: timeResponse(passkey.createdAt),
    last_used_at: passkey.lastUsedAt === null ? null : timeResponse(passkey.lastUsedAt),
  }
}
