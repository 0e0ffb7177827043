import { auditEntryOf } from '../../../accounts/audit.ts'
import { requireRoleScopes } from '../../../accounts/delegation.ts'
import type { KeyHolder } from '../../../accounts/key-cache.ts'
import {
  type Account,
  type AccountLimits,
  isHigherRole,
  type Role,
  type SettableStatus,
} from '../../../domain/accounts.ts'
import { invalidBody, Problem } from '../../../domain/errors.ts'
import type { Store } from '../../../store/store.ts'
import { findOpenAccount, unknownAccount } from './find-account.ts'

export interface AccountChange {
  readonly name?: string
  readonly role?: Role
  readonly status?: SettableStatus
  readonly limits?: Record<string, number | null | undefined>
}

/** Changes an account, on record, as far as the rights of the caller and the last admin allow. */
export async function changeMember(
  store: Store,
  caller: KeyHolder,
  id: string,
  change: AccountChange,
  now: number,
): Promise<Account> {
  const account = await findOpenAccount(store, id)
  const { name, role, status } = change
  if (name !== undefined && (/\p{Cc}/u.test(name) || !name.isWellFormed()))
    throw invalidBody([{ pointer: '/name', message: 'must not contain control characters' }])
  if (role !== undefined) requireRightTo(caller, account, role)
  const limits = change.limits && mergeLimits(account.limits, change.limits)
  const patch = { ...(name && { name }), ...(role && { role }), ...(status && { status }), ...(limits && { limits }) }
  const act = {
    action: 'account.change',
    subject: id,
    before: changeable(account),
    after: changeable({ ...account, ...patch }),
  }
  const changed = await store.withAudit(auditEntryOf(caller, act, now)).accounts.change(account.id, patch, now)
  if (changed === null) throw unknownAccount()
  if (changed === 'last_admin')
    throw new Problem('last_admin', 'This is the last admin that can sign in. Make another account an admin first.')
  return changed
}

function changeable({ name, role, status, limits }: Account) {
  return { name, role, status, limits }
}

function requireRightTo(caller: KeyHolder, account: Account, role: Role): void {
  if (!isHigherRole(role, account.role)) return
  if (caller.account.id === account.id)
    throw new Problem('insufficient_scope', 'Nobody raises their own role: another admin does.')
  requireRoleScopes(caller, role)
}

/** Null removes the account's own limit. */
function mergeLimits(limits: AccountLimits, changes: NonNullable<AccountChange['limits']>): AccountLimits {
  const merged = Object.entries({ ...limits, ...changes }).filter(([, limit]) => limit !== null)
  return Object.fromEntries(merged) as AccountLimits
}
