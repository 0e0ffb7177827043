import { randomBytes } from 'node:crypto'
import type { Store } from '../store/store.ts'
import { hashSecret } from './keys/hash-secret.ts'
import { type IssuedKey, openAccount } from './keys/issue.ts'
import type { Mailer } from './mail/mailer.ts'

const LINK_LASTS = 24 * 3_600_000

/** Mails a link under which the key can be fetched once. */
export async function mailSignUp(
  store: Store,
  mailer: Mailer,
  publicUrl: string,
  who: { email: string; name: string | null },
  now: number,
): Promise<void> {
  const token = randomBytes(24).toString('base64url')
  await store.signups.add({ tokenHash: hashSecret(token), ...who, createdAt: now, expiresAt: now + LINK_LASTS })
  await mailer.sendMail({
    to: who.email,
    subject: 'Your key for Incident Feed',
    text: `Open this link within 24 hours to get your key. It is shown once.\n\n${publicUrl}/signup/${token}\n\nIf you did not ask for a key, do nothing.\n`,
  })
}

/** Null where the link was used, has expired or never was. */
export async function redeemSignUp(store: Store, token: string, now: number): Promise<IssuedKey | null> {
  const signup = await store.signups.consume(hashSecret(token), now)
  return signup && openAccount(store, { email: signup.email, name: signup.name }, { name: signup.name }, now)
}
