import type { IssuedKey } from '../../../accounts/keys/issue.ts'
import type { Key } from '../../../domain/key.ts'
import type { Answer } from '../../requests/idempotency/answer.ts'

export function keyResponse(key: Key) {
  return {
    id: key.id,
    kind: key.kind,
    name: key.name,
    hint: key.hint,
    scopes: key.scopes,
    origins: key.origins,
    created_at: timeResponse(key.createdAt),
    expires_at: key.expiresAt === null ? null : timeResponse(key.expiresAt),
    revoked_at: key.revokedAt === null ? null : timeResponse(key.revokedAt),
  }
}

export function issuedKeyResponse({ key, text }: IssuedKey) {
  return { key: text, account_id: key.accountId, ...keyResponse(key) }
}

export function issuedKeyAnswer(issued: IssuedKey): Answer {
  return { status: 201, body: issuedKeyResponse(issued) }
}

export function timeResponse(time: number): string {
  return new Date(time).toISOString()
}
