import { createTransport } from 'nodemailer'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import { canonicalAddress, mailboxOf } from '../domain/email-address.ts'
import { randomBytes } from '../lib/runtime.ts'
import type { Mails, Signup, Store } from '../store/store.ts'
import { hashSecret } from './keys.ts'

interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** The mail server is unavailable or refused the mail. */
export class MailUnavailable extends Error {
  override readonly name = 'MailUnavailable'
}

export interface Mailer {
  /** Resolves once the mail server has accepted the mail; else rejects with `MailUnavailable`. */
  sendMail(mail: Mail): Promise<void>
}

export function smtpMailer(smtpUrl: string, from: string): Mailer {
  const transport = createTransport(smtpUrl, { from })
  return {
    async sendMail({ to, subject, text }) {
      try {
        await transport.sendMail({ to: recipientOf(to), subject, text })
      } catch (error) {
        throw new MailUnavailable('the mail server did not accept the mail', { cause: error })
      }
    },
  }
}

/**
 * The one mailbox that the mail was counted for. As an object: a text would be read as a list of
 * recipients.
 */
export function recipientOf(address: string): { readonly name: string; readonly address: string } {
  return { name: '', address: canonicalAddress(address) }
}

const TIMEOUT_MS = 10_000

/** The step that a connection to the mail server reached. */
export type MailServerState =
  | { readonly step: 'connecting'; readonly reason: string }
  | { readonly step: 'logging in'; readonly reason: string }
  | { readonly step: 'ready'; readonly encrypted: boolean; readonly loggedIn: boolean }

/** Connects as the service does, logs in if the URL has a user, and leaves. Sends no mail. */
export async function tryMailServer(smtpUrl: string): Promise<MailServerState> {
  // The same reading of the URL as the service's.
  const { options } = createTransport(smtpUrl)
  const timeouts = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const connection = new SMTPConnection({ ...(options as SMTPConnection.Options), ...timeouts })
  const failed = new Promise<never>((_, reject) => connection.on('error', reject))
  failed.catch(() => {})
  let step: 'connecting' | 'logging in' = 'connecting'
  try {
    await Promise.race([new Promise<void>((resolve) => connection.connect(() => resolve())), failed])
    const { auth } = options as SMTPConnection.Options & { auth?: SMTPConnection.AuthenticationType }
    step = 'logging in'
    if (auth) await Promise.race([loggedIn(connection, auth), failed])
    return { step: 'ready', encrypted: connection.secure === true, loggedIn: auth !== undefined }
  } catch (error) {
    return { step, reason: (error as Error).message }
  } finally {
    connection.quit()
    connection.close()
  }
}

function loggedIn(connection: SMTPConnection, auth: SMTPConnection.AuthenticationType): Promise<void> {
  return new Promise((resolve, reject) =>
    connection.login(auth, (error: Error | null | undefined) => (error ? reject(error) : resolve())),
  )
}

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

/**
 * A mail to the owner of an account. It may carry ids and nothing that a user wrote: names and URLs
 * would make it a way to send one's own words and links to somebody else.
 */
export interface Notice {
  readonly subject: string
  readonly text: string
}

const NOTICES_PER_DAY = 10

/**
 * Mails the owner of an account. Resolves to false if no mail was sent: the address is not
 * verified, the account is blocked, or the address had its notices for the day.
 */
export async function mailNotice(
  store: Store,
  mailer: Mailer,
  accountId: string,
  notice: Notice,
  now: number,
): Promise<boolean> {
  const account = await store.accounts.find(accountId)
  if (!account?.email || account.emailVerifiedAt === null || account.status === 'blocked') return false
  if (!(await countNotice(store.mails, account.email, NOTICES_PER_DAY, now))) return false
  await mailer.sendMail({ to: account.email, ...notice })
  return true
}

/** Mails per UTC day. */
interface MailLimits {
  readonly perRecipient: number
  readonly perClient: number
}

type MailRefusal = 'client_limit' | 'recipient_limit'

/**
 * Counts a mail that a stranger asked for: by client first, so that it cannot fill the table. Each
 * kind is counted apart: who asks for many of one kind keeps nobody from another.
 */
export async function countRequestedMail(
  mails: Mails,
  kind: 'sign-in' | 'sign-up',
  limits: MailLimits,
  email: string,
  client: string,
  now: number,
): Promise<MailRefusal | null> {
  const day = dayOf(now)
  if (!(await mails.countMail(`${kind} client ${client}`, day, limits.perClient))) return 'client_limit'
  const subject = `${kind} ${recipientHash(email)}`
  return (await mails.countMail(subject, day, limits.perRecipient)) ? null : 'recipient_limit'
}

/** Counts a notice, apart from requested mails: strangers must not use up an owner's notices. */
export function countNotice(mails: Mails, email: string, max: number, now: number): Promise<boolean> {
  return mails.countMail(`notice ${recipientHash(email)}`, dayOf(now), max)
}

/** Whole seconds until the counts of the day end. */
export function secondsLeftOfDay(now: number): number {
  return Math.ceil((86_400_000 - (now % 86_400_000)) / 1000)
}

/** One mailbox, whatever the case and the tag: `Ada+x@example.org` is `ada@example.org`. */
export function recipientHash(email: string): string {
  return hashSecret(mailboxOf(email))
}

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}
