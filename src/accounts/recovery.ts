import { type Account, SCOPES_BY_ROLE } from '../domain/accounts.ts'
import type { KeyCap, KeyRefusal, Store } from '../store/store.ts'
import { hashSecret } from './keys/hash-secret.ts'
import { addKey, type IssuedKey } from './keys/issue.ts'

/** Accounts looked at for one address; anyone can open accounts with anyone's address. */
const MAX_ACCOUNTS = 1000

/** The accounts that a link gives access to; null if it was used, has expired or never existed. */
export async function findRecovery(store: Store, token: string, now: number): Promise<Account[] | null> {
  const link = await store.signups.find(hashSecret(token), 'recovery', now)
  return link && accountsOf(store, link.email)
}

/** Uses the link: notes that the address is proved, and issues a key with the role's scopes. */
export async function redeemRecovery(
  store: Store,
  token: string,
  account: Account,
  cap: KeyCap,
  now: number,
): Promise<IssuedKey | KeyRefusal | null> {
  const link = await store.signups.consume(hashSecret(token), 'recovery', now)
  if (link === null) return null
  await store.accounts.verifyEmail(account.id, now)
  return addKey(() => store, account.id, { name: 'Recovered', scopes: SCOPES_BY_ROLE[account.role] }, cap, now)
}

/**
 * The accounts of an address that are not blocked. Verified ones first, then the oldest: accounts
 * opened later by others come last.
 */
export async function accountsOf(store: Store, email: string): Promise<Account[]> {
  const accounts = await store.accounts.list({ email, status: 'active' }, MAX_ACCOUNTS, null)
  const rank = ({ emailVerifiedAt }: Account) => (emailVerifiedAt === null ? 1 : 0)
  return accounts.toSorted((one, other) => rank(one) - rank(other) || one.createdAt - other.createdAt)
}
