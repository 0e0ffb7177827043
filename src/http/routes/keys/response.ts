import type { IssuedKey } from '../../../accounts/keys/issue.ts'
import type { Key } from '../../../domain/key.ts'

export function keyOnWire(key: Key) {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    origins: key.origins,
    created_at: timeOnWire(key.createdAt),
    expires_at: key.expiresAt === null ? null : timeOnWire(key.expiresAt),
    revoked_at: key.revokedAt === null ? null : timeOnWire(key.revokedAt),
  }
}

export function issuedOnWire({ key, text }: IssuedKey) {
  return { key: text, account_id: key.accountId, ...keyOnWire(key) }
}

export function timeOnWire(time: number): string {
  return new Date(time).toISOString()
}
