import type { Account } from '../../../domain/accounts.ts'
import { Problem } from '../../../domain/errors.ts'
import { isIdentifier } from '../../../domain/identifier.ts'
import type { Store } from '../../../store/store.ts'

export async function findAccount(store: Store, id: string): Promise<Account> {
  const account = isIdentifier('account', id) ? await store.accounts.find(id) : null
  if (account === null) throw unknownAccount()
  return account
}

/** For what a deleted account cannot have any more. */
export async function findOpenAccount(store: Store, id: string): Promise<Account> {
  const account = await findAccount(store, id)
  if (account.status === 'deleted') throw new Problem('not_found', 'The account was deleted.')
  return account
}

export function unknownAccount(): Problem {
  return new Problem('not_found', 'There is no such account.')
}
