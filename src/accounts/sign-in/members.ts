import type { Account, Role } from '../../domain/accounts.ts'
import type { Store } from '../../store/store.ts'
import { makeAccount } from '../keys/issue.ts'

/** Accounts of one address that are looked at; anyone can open accounts with anyone's address. */
const MAX_ACCOUNTS = 1000

/** A person who works for this installation: an account with a name, and without a key. */
export interface NewMember {
  readonly email: string
  readonly name: string
  readonly role: Role
}

/**
 * The account with a role above client that has the address. One person has one: with two, a mailed
 * link would have to ask which. Strangers can open only clients.
 */
export async function findMember(store: Store, email: string): Promise<Account | null> {
  const accounts = await store.accounts.list({ email }, MAX_ACCOUNTS, null)
  return accounts.find(({ role }) => role !== 'client') ?? null
}

export function newMember({ email, name, role }: NewMember, now: number): Account & { email: string } {
  return { ...makeAccount({ email, name }, {}, now), email, role }
}
