import {
  type Account,
  isHigherRole,
  type Role,
  SCOPES_BY_ROLE,
  SESSION_LIFETIME_MS,
  type Session,
} from '../domain/accounts.ts'
import { newIdentifier } from '../domain/identifier.ts'
import { randomBytes } from '../lib/runtime.ts'
import type { KeyCap, KeyRefusal, Store } from '../store/store.ts'
import { addKey, hashSecret, type IssuedKey, makeAccount, openAccount } from './keys.ts'
import { issueLink, type Mailer } from './mail.ts'

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

/** Anyone can open accounts with anyone's address: only the likeliest get a link. */
const MAX_LINKS = 3

/**
 * Mails links to sign in, and one to a new key, if the address has an account that is not blocked.
 */
export async function mailSignIn(
  store: Store,
  mailer: Mailer,
  publicUrl: string,
  email: string,
  now: number,
): Promise<void> {
  const accounts = (await accountsOf(store, email)).toSorted(byRole).slice(0, MAX_LINKS)
  // To the address as stored: it may differ in case from what the stranger typed.
  const to = accounts[0]?.email
  if (!to) return
  const lines: string[] = []
  for (const { id, role } of accounts) {
    const { url } = await issueSignInLink(store, publicUrl, id, { mailed: true }, now)
    lines.push(accounts.length === 1 ? url : `As ${role} (${id}): ${url}`)
  }
  const recovery = await issueLink(store, publicUrl, 'recovery', { email: to, name: null }, now)
  await mailer.sendMail({
    to,
    subject: 'Your sign-in link for Incident Feed',
    text: `Open this link within 15 minutes to sign in. It works once.\n\n${lines.join('\n\n')}\n\nHave you lost your API keys? Within 24 hours, this link gives you a new one. It is shown once, and your other keys go on working.\n\n${recovery}\n\nIf you did not ask for this, do nothing: without the links nobody signs in or gets a key.\n`,
  })
}

/** Mails a link that signs the invited person in. */
export async function mailInvitation(
  store: Store,
  mailer: Mailer,
  publicUrl: string,
  account: Account & { readonly email: string },
  now: number,
): Promise<NewLink> {
  const options = { mailed: true, validMs: INVITATION_VALID_MS }
  const link = await issueSignInLink(store, publicUrl, account.id, options, now)
  await mailer.sendMail({
    to: account.email,
    subject: 'You are invited to Incident Feed',
    text: `You were invited to work with Incident Feed at ${publicUrl}, as ${account.role}. Open this link within 72 hours to sign in. It works once; afterwards, ${publicUrl}/sign-in mails you another.\n\n${link.url}\n\nIf you do not expect this, do nothing.\n`,
  })
  return link
}

/** The highest role first: somebody gave it to this person. */
function byRole(one: Account, other: Account): number {
  if (one.role === other.role) return 0
  return isHigherRole(one.role, other.role) ? -1 : 1
}

export const LINK_VALID_MS = 15 * 60_000
/** An invitation waits for somebody who does not expect it. */
export const INVITATION_VALID_MS = 72 * 3_600_000

/** A link that signs in once; whoever has it is signed in. */
export interface NewLink {
  readonly url: string
  readonly expiresAt: number
}

export async function issueSignInLink(
  store: Pick<Store, 'signInLinks'>,
  publicUrl: string,
  accountId: string,
  options: { readonly mailed: boolean; readonly validMs?: number },
  now: number,
): Promise<NewLink> {
  const token = randomBytes(24).toString('base64url')
  const expiresAt = now + (options.validMs ?? LINK_VALID_MS)
  const link = { tokenHash: hashSecret(token), accountId, mailed: options.mailed, createdAt: now, expiresAt }
  await store.signInLinks.add(link)
  return { url: `${publicUrl}/sign-in?token=${token}`, expiresAt }
}

/** A person who works for this installation: an account with a name, and without a key. */
interface NewMember {
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

/** Open sessions of an account; a further one ends the one that was unused for longest. */
export const MAX_SESSIONS = 50
const MAX_USER_AGENT = 200

/** A session with its secret, which only the browser's cookie keeps. */
export interface NewSession {
  readonly session: Omit<Session, 'accountId'>
  readonly secret: string
}

export function newSession(
  opened: Pick<Session, 'method'> & Partial<Pick<Session, 'keyId' | 'passkeyId'>>,
  userAgent: string | undefined,
  now: number,
): NewSession {
  const secret = randomBytes(32).toString('base64url')
  const session = {
    id: newIdentifier('session', now, randomBytes),
    method: opened.method,
    keyId: opened.keyId ?? null,
    passkeyId: opened.passkeyId ?? null,
    hash: hashSecret(secret),
    userAgent: userAgent?.slice(0, MAX_USER_AGENT) || null,
    createdAt: now,
    seenAt: now,
    expiresAt: now + SESSION_LIFETIME_MS,
    endedAt: null,
  }
  return { session, secret }
}
