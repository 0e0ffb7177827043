import { randomBytes } from 'node:crypto'
import type { Signup, Store } from '../../store/store.ts'
import { hashSecret } from '../keys/hash-secret.ts'
import type { Mailer } from './mailer.ts'

/** The same as the day for which mails are counted: who gets no more mail has a valid link. */
const LINK_VALID_MS = 24 * 3_600_000

/** Texts without anything that a user wrote. */
const LINKS = {
  sign_up: {
    path: 'signup',
    subject: 'Your key for Incident Feed',
    text: (url: string) =>
      `Open this link within 24 hours to get your key. It is shown once.\n\n${url}\n\nIf you did not ask for a key, do nothing.\n`,
  },
  recovery: {
    path: 'recover',
    subject: 'A new key for your account at Incident Feed',
    text: (url: string) =>
      `Open this link within 24 hours to get a new key for your account. It is shown once, and your other keys go on working.\n\n${url}\n\nIf you did not ask for this, do nothing: without the link nobody gets a key.\n`,
  },
} as const satisfies Record<Signup['purpose'], unknown>

/** Stores a token and mails the link with it. */
export async function mailLink(
  store: Store,
  mailer: Mailer,
  publicUrl: string,
  purpose: Signup['purpose'],
  recipient: { readonly email: string; readonly name: string | null },
  now: number,
): Promise<void> {
  const token = randomBytes(24).toString('base64url')
  const { email, name } = recipient
  const validity = { createdAt: now, expiresAt: now + LINK_VALID_MS }
  await store.signups.add({ tokenHash: hashSecret(token), purpose, email, name, ...validity })
  const { path, subject, text } = LINKS[purpose]
  await mailer.sendMail({ to: email, subject, text: text(`${publicUrl}/${path}/${token}`) })
}
