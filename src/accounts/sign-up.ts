import type { Store } from '../store/store.ts'
import { hashSecret } from './keys/hash-secret.ts'
import { type IssuedKey, openAccount } from './keys/issue.ts'

/**
 * Opens the account of a mailed link: always a new one, so that a sign-up with a known address
 * neither shows nor takes over an account. Null if the link was used, has expired or never existed.
 */
export async function redeemSignUp(store: Store, token: string, now: number): Promise<IssuedKey | null> {
  const signup = await store.signups.consume(hashSecret(token), 'sign_up', now)
  if (signup === null) return null
  const { email, name } = signup
  return openAccount(store, { email, name, emailVerifiedAt: now }, { name }, now)
}
