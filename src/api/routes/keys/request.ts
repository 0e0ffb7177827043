import type { Static } from 'typebox'
import Type from 'typebox'
import type { KeyRequest } from '../../../accounts/keys.ts'
import { type FieldError, invalidBody } from '../../../domain/errors.ts'
import { normaliseOrigin } from '../../../domain/keys.ts'
import { parseTime } from '../../../lib/time.ts'
import type { KeyPatch } from '../../../store/store.ts'
import { keyRequestFields } from '../../contract/accounts/keys.ts'

const fields = Type.Object(keyRequestFields)
type KeyBody = Static<typeof fields>

/** Checks what the schema cannot: a future expiry, and what publishable keys may have. */
export function parseKeyRequest(body: KeyBody, now: number): KeyRequest {
  const { name = null, kind = 'live', scopes, origins = [], expires_at = null } = body
  const expiresAt = expires_at === null ? null : parseTime(expires_at)
  const errors: FieldError[] = []
  if (expires_at !== null && (expiresAt === null || expiresAt <= now))
    errors.push({ pointer: '/expires_at', message: 'must be a time in the future' })
  if (kind === 'live' && origins.length > 0)
    errors.push({ pointer: '/origins', message: 'is for publishable keys; add "kind": "publishable"' })
  if (kind === 'publishable' && scopes?.some((scope) => scope !== 'read'))
    errors.push({ pointer: '/scopes', message: 'of a publishable key can only be read', allowed: ['read'] })
  checkName(name, errors)
  const normalised = parseOrigins(origins, errors)
  if (errors.length > 0) throw invalidBody(errors)
  return { name, kind, origins: normalised, expiresAt, ...(scopes ? { scopes: [...new Set(scopes)] } : {}) }
}

export function parseKeyPatch(body: { name?: string | null; origins?: string[] }): KeyPatch {
  const errors: FieldError[] = []
  checkName(body.name ?? null, errors)
  const origins = body.origins && parseOrigins(body.origins, errors)
  if (errors.length > 0) throw invalidBody(errors)
  return { ...(body.name === undefined ? {} : { name: body.name }), ...(origins ? { origins } : {}) }
}

function parseOrigins(texts: readonly string[], errors: FieldError[]): string[] {
  const origins = new Set<string>()
  for (const [index, text] of texts.entries()) {
    const origin = normaliseOrigin(text)
    if (origin !== null) origins.add(origin)
    else
      errors.push({
        pointer: `/origins/${index}`,
        message: 'must be an origin without a path, such as https://example.org or http://localhost:3000',
      })
  }
  return [...origins]
}

function checkName(name: string | null, errors: FieldError[]): void {
  if (name !== null && (/\p{Cc}/u.test(name) || !name.isWellFormed()))
    errors.push({ pointer: '/name', message: 'must not contain control characters' })
}
