import { auditEntryOf } from '../../../accounts/audit.ts'
import type { KeyHolder } from '../../../accounts/key-cache.ts'
import {
  type Account,
  confirmsDeletion,
  DELETED_ACCOUNT_NAME,
  deletionConfirmation,
  hasScope,
  mayManage,
  SCOPES_BY_ROLE,
  scopesLeft,
} from '../../../domain/accounts.ts'
import { invalidBody, Problem } from '../../../domain/errors.ts'
import { AccountDeleted, type RemovedAccount, type Store } from '../../../store/store.ts'

/** Changes the name of the caller's account, on record. */
export async function renameOwnAccount(
  store: Store,
  caller: KeyHolder,
  name: string | null,
  now: number,
): Promise<Account> {
  const { account, key } = caller
  if (name !== null && (/\p{Cc}/u.test(name) || !name.isWellFormed() || name.trim() === ''))
    throw invalidBody([{ pointer: '/name', message: 'must contain a visible character, and no control characters' }])
  // Colleagues tell each other apart by name: an editor must not take the name of another.
  if (account.role !== 'client' && !hasScope(key, account.role, 'admin'))
    throw new Problem('insufficient_scope', `You are ${account.role} here: an admin changes the name.`)
  if (name === account.name) return account
  const act = { action: 'account.change', subject: account.id, before: { name: account.name }, after: { name } }
  const changed = await store.withAudit(auditEntryOf(caller, act, now)).accounts.change(account.id, { name }, now)
  if (changed === null || changed === 'last_admin') throw new AccountDeleted()
  return changed
}

/** Deletes the caller's account, on record. */
export async function deleteOwnAccount(
  store: Store,
  caller: KeyHolder,
  confirm: string,
  now: number,
): Promise<RemovedAccount> {
  const { account, key } = caller
  const needed = SCOPES_BY_ROLE[account.role]
  if (!mayManage(key, account.role, needed))
    throw new Problem(
      'insufficient_scope',
      `Deleting the account needs all scopes of its role (${needed.join(', ')}); you have ${scopesLeft(key, account.role).join(', ')}.`,
    )
  if (account.role !== 'client') throw hasDeskRole(account)
  if (!confirmsDeletion(account, confirm)) throw notConfirmed(account)
  // The entry must not bring back the name that the deletion takes out of all others.
  const nameless = { ...caller, account: { ...account, name: DELETED_ACCOUNT_NAME } }
  const act = {
    action: 'account.delete',
    subject: account.id,
    before: { status: account.status },
    after: { status: 'deleted' },
  }
  const removed = await store.withAudit(auditEntryOf(nameless, act, now)).accounts.remove(account.id, now)
  if (removed === 'has_role') throw hasDeskRole(account)
  if (removed === null) throw new AccountDeleted()
  return removed
}

function notConfirmed(account: Account): Problem {
  const message = `must be the ${deletionConfirmation(account)} of the account, as GET /v1/me shows it; nothing was deleted`
  return invalidBody([{ pointer: '/confirm', message }])
}

function hasDeskRole({ role }: Account): Problem {
  const named = role === 'client' ? 'a role at the desk' : `the role ${role}`
  return new Problem(
    'has_desk_role',
    `The account has ${named}. An admin must take the role away first (make it a client); then it can be deleted.`,
  )
}
