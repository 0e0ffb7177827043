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
  recovery: { path: 'recover' },
} as const satisfies Record<Signup['purpose'], unknown>

interface Recipient {
  readonly email: string
  readonly name: string | null
}

/** Stores a token and mails the link to a first key with it. */
export async function mailLink(
  store: Store,
  mailer: Mailer,
  publicUrl: string,
  recipient: Recipient,
  now: number,
): Promise<void> {
  const { subject, text } = LINKS.sign_up
  const url = await issueLink(store, publicUrl, 'sign_up', recipient, now)
  await mailer.sendMail({ to: recipient.email, subject, text: text(url) })
}

/** Stores a token and returns the link with it. */
export async function issueLink(
  store: Store,
  publicUrl: string,
  purpose: Signup['purpose'],
  recipient: Recipient,
  now: number,
): Promise<string> {
  const token = randomBytes(24).toString('base64url')
  const { email, name } = recipient
  const validity = { createdAt: now, expiresAt: now + LINK_VALID_MS }
  await store.signups.add({ tokenHash: hashSecret(token), purpose, email, name, ...validity })
  return `${publicUrl}/${LINKS[purpose].path}/${token}`
}
