import { type Account, hasScope, mayManage, type Role, SCOPES_BY_ROLE, scopesLeft } from '../domain/accounts.ts'
import { invalidBody, Problem } from '../domain/errors.ts'
import type { Scope } from '../domain/keys.ts'
import type { KeyHolder } from './key-cache.ts'
import { earlierExpiry, type KeyRequest, SELF_SERVICE_SCOPES } from './keys.ts'

/** Throws unless the holder's key has every scope of a key that it creates, changes or deletes. */
export function requireScopes({ key, account }: KeyHolder, scopes: readonly Scope[], verb: string): void {
  if (mayManage(key, account.role, scopes)) return
  throw new Problem(
    'insufficient_scope',
    `A key can ${verb} only keys whose scopes it has itself: that one has ${scopes.join(', ')}; yours has ${scopesLeft(key, account.role).join(', ')}.`,
  )
}

/**
 * Throws unless the holder has every scope of a role that it gives, or whose holder it signs in.
 */
export function requireRoleScopes({ key, account }: KeyHolder, role: Role): void {
  // Anyone gets the scopes of a client.
  const needed = SCOPES_BY_ROLE[role].filter((scope) => !SCOPES_BY_ROLE.client.includes(scope))
  if (mayManage(key, account.role, needed)) return
  throw new Problem(
    'insufficient_scope',
    `For the role ${role} you need its scopes (${needed.join(', ')}); you have ${scopesLeft(key, account.role).join(', ')}.`,
  )
}

/**
 * Throws unless the holder has every scope of its account's role, for what ends the account or
 * gives all its rights.
 */
export function requireWholeRole({ key, account }: KeyHolder): void {
  const needed = SCOPES_BY_ROLE[account.role]
  if (mayManage(key, account.role, needed)) return
  throw new Problem(
    'insufficient_scope',
    `This needs all scopes of your role (${needed.join(', ')}); you have ${scopesLeft(key, account.role).join(', ')}.`,
  )
}

/** Rights and expiry of a key that `holder` creates: no more, and no longer, than its own. */
export function delegated(holder: KeyHolder, request: KeyRequest): KeyRequest {
  const { key, account } = holder
  const usual = SELF_SERVICE_SCOPES[request.kind ?? 'live'].filter((scope) => hasScope(key, account.role, scope))
  const scopes = request.scopes ?? usual
  requireScopes(holder, scopes, 'create')
  return { ...request, scopes, expiresAt: delegatedExpiry(grantExpiry(holder), request.expiresAt ?? null) }
}

/** The latest expiry that the holder can give: that of its key; a session gives as its key does. */
export function grantExpiry({ key, session, openedWith }: KeyHolder): number | null {
  return session === undefined ? key.expiresAt : (openedWith?.expiresAt ?? null)
}

function delegatedExpiry(own: number | null, requested: number | null): number | null {
  if (own !== null && requested !== null && requested > own) {
    const last = new Date(own).toISOString()
    throw invalidBody([{ pointer: '/expires_at', message: `must not be after ${last}, when your own key expires` }])
  }
  return earlierExpiry(own, requested)
}

/** Throws if the scopes are more than the role of the account allows. */
export function requireRole({ role }: Account, scopes: readonly Scope[], allowed: readonly Scope[]): void {
  if (scopes.every((scope) => allowed.includes(scope))) return
  throw invalidBody([
    { pointer: '/scopes', message: `must be among ${allowed.join(', ')}: the account has the role ${role}`, allowed },
  ])
}
