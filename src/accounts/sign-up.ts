import { randomBytes } from 'node:crypto'
import type { Store } from '../store/store.ts'
import { hashSecret } from './keys/hash-secret.ts'
import { type IssuedKey, openAccount } from './keys/issue.ts'
import type { Mailer } from './mail/mailer.ts'

const LINK_VALID_MS = 24 * 3_600_000

/** Mails a link that shows the key once. */
export async function mailSignUp(
  store: Store,
  mailer: Mailer,
  publicUrl: string,
  recipient: { email: string; name: string | null },
  now: number,
): Promise<void> {
  const token = randomBytes(24).toString('base64url')
  await store.signups.add({
    tokenHash: hashSecret(token),
    ...recipient,
    createdAt: now,
    expiresAt: now + LINK_VALID_MS,
  })
  await mailer.sendMail({
    to: recipient.email,
    subject: 'Your key for Incident Feed',
    text: `Open this link within 24 hours to get your key. It is shown once.\n\n${publicUrl}/signup/${token}\n\nIf you did not ask for a key, do nothing.\n`,
  })
}

/** Opens the account. Null if the link was used, has expired or never existed. */
export async function redeemSignUp(store: Store, token: string, now: number): Promise<IssuedKey | null> {
  const signup = await store.signups.consume(hashSecret(token), now)
  return signup && openAccount(store, { email: signup.email, name: signup.name }, { name: signup.name }, now)
}
