import type { KeyRequest } from '../../../accounts/keys/issue.ts'
import type { createKey } from '../../../contract/accounts/keys.ts'
import type { BodyOf } from '../../../contract/endpoint.ts'
import { type FieldError, invalidBody } from '../../../domain/errors.ts'
import { parseTime } from '../../../lib/time/time.ts'

/** Checks what the schema cannot: a future expiry, and origins for publishable keys only. */
export function parseKeyRequest(body: BodyOf<typeof createKey>, now: number): KeyRequest {
  const { name = null, kind = 'live', origins = [], expires_at = null } = body
  const expiresAt = expires_at === null ? null : parseTime(expires_at)
  const errors: FieldError[] = []
  if (expires_at !== null && (expiresAt === null || expiresAt <= now))
    errors.push({ pointer: '/expires_at', message: 'must be a time in the future' })
  if (kind === 'live' && origins.length > 0)
    errors.push({ pointer: '/origins', message: 'is for publishable keys; add "kind": "publishable"' })
  if (name !== null && hasControlCharacters(name))
    errors.push({ pointer: '/name', message: 'must not contain control characters' })
  if (errors.length > 0) throw invalidBody(errors)
  return { name, kind, origins, expiresAt }
}

function hasControlCharacters(text: string): boolean {
  return /\p{Cc}/u.test(text) || !text.isWellFormed()
}
