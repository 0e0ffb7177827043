import { type Account, type Role, SCOPES_BY_ROLE, SESSION_LIFETIME_MS, type Session } from '../domain/accounts.ts'
import { parseEmailAddress } from '../domain/email-address.ts'
import { newIdentifier } from '../domain/identifier.ts'
import { randomBytes } from '../lib/runtime.ts'
import { type KeyCap, type KeyRefusal, type Signup, type Store, StoreUnavailable } from '../store/store.ts'
import { hashSecret, type IssuedKey, makeAccount, makeKey, SELF_SERVICE_SCOPES } from './keys.ts'
import { issueLink, type Mailer } from './mail.ts'

/**
 * The account that a proof of the address leads to: its owner, or else a new one. Accounts that
 * only claim the address never get it: a stranger may have opened them. Null if the address, which
 * an earlier build stored, is in a form that is no longer taken.
 */
export async function accountProving(
  store: Pick<Store, 'accounts'>,
  email: string,
  name: string | null,
  now: number,
): Promise<Account | null> {
  const parsed = parseEmailAddress(email)
  if ('fault' in parsed) return null
  const owner = await store.accounts.findOwner(parsed.address)
  return owner ?? makeAccount({ email: parsed.address, name, emailVerifiedAt: now }, {}, now)
}

/**
 * Uses a mailed link until no other proof of its address comes first: then it leads to the account
 * of that one. Each time somebody else has got on, so that a second time is rare.
 */
export async function untilProved<Result>(attempt: () => Promise<Result | 'other_owner'>): Promise<Result> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const result = await attempt()
    if (result !== 'other_owner') return result
  }
  throw new StoreUnavailable(`An address had ${MAX_TRIES} other owners while a link to it was used`)
}

const MAX_TRIES = 10

/** A key from a mailed link, with the account that has proved its address by it. */
interface RedeemedKey {
  readonly issued: IssuedKey
  readonly account: Account
}

/**
 * Uses a mailed link to a key: a first one, or one with all scopes of the role. A refused link can
 * be used again; null if it was used, has expired or never existed.
 */
export function redeemKeyLink(
  store: Store,
  purpose: Signup['purpose'],
  token: string,
  capOf: (account: Account) => KeyCap,
  now: number,
): Promise<RedeemedKey | KeyRefusal | 'blocked' | null> {
  const tokenHash = hashSecret(token)
  return untilProved(async () => {
    const link = await store.signups.find(tokenHash, purpose, now)
    const account = link && (await accountProving(store, link.email, link.name, now))
    if (link === null || account === null) return null
    const scopes = purpose === 'recovery' ? SCOPES_BY_ROLE[account.role] : SELF_SERVICE_SCOPES.live
    const issued = makeKey(account.id, { name: purpose === 'recovery' ? 'Recovered' : link.name, scopes }, now)
    const outcome = await store.signups.redeem(tokenHash, purpose, account, issued.key, capOf(account), now)
    return outcome === true ? { issued, account } : outcome
  })
}

/**
 * Mails a link to sign in, and one to a new key, if an account owns the address and is not blocked.
 * An address that is only claimed is asked the same way, and then gets an account of its own;
 * unless nobody may sign up.
 */
export async function mailSignIn(
  store: Store,
  mailer: Mailer,
  publicUrl: string,
  email: string,
  maySignUp: boolean,
  now: number,
): Promise<void> {
  const owner = await store.accounts.findOwner(email)
  if (owner !== null && owner.status !== 'active') return
  if (owner === null && (!maySignUp || (await store.accounts.list({ email }, 1, null)).length === 0)) return
  const { url } = await issueSignInLink(store, publicUrl, { email }, now)
  const recovery = await issueLink(store, publicUrl, 'recovery', { email, name: null }, now)
  const text = owner === null ? firstSignInText(url, recovery) : signInText(owner, url, recovery)
  await mailer.sendMail({ to: email, subject: 'Your sign-in link for Incident Feed', text })
}

const IGNORE = 'If you did not ask for this, do nothing: without the links nobody signs in or gets a key.'

function signInText(owner: Account, url: string, recovery: string): string {
  return `Open this link within 15 minutes to sign in to ${describeAccount(owner)}. It works once.\n\n${url}\n\nHave you lost your API keys? Within 24 hours, this link gives you a new one. It is shown once, and your other keys go on working.\n\n${recovery}\n\n${IGNORE}\n`
}

function firstSignInText(url: string, recovery: string): string {
  return `Nobody has confirmed this address at Incident Feed yet. Open this link within 15 minutes to confirm it and to sign in to an account of your own. It works once.\n\n${url}\n\nOr do so with this link within 24 hours; it gives you an API key for the account, which is shown once.\n\n${recovery}\n\nSomebody, perhaps you, has got a key with this address without confirming it. Such a key goes on working, but in an account apart: the one that you open here sees nothing of it, and it sees nothing of yours.\n\n${IGNORE}\n`
}

/** In a mail or on a page. The owner has chosen the name; one that could be a link is left out. */
export function describeAccount({ id, name, role, createdAt }: Account): string {
  const shown = name === null || /[/:@<>"\p{C}]|\.\S/u.test(name) ? id : `“${name}” (${id})`
  return `the account ${shown}, ${role}, opened on ${new Date(createdAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

/** Mails a link that signs the invited person in, to the address that the account owns. */
export async function mailInvitation(
  store: Store,
  mailer: Mailer,
  publicUrl: string,
  account: Account & { readonly email: string },
  now: number,
): Promise<NewLink> {
  const { email } = account
  const link = await issueSignInLink(store, publicUrl, { email, validMs: INVITATION_VALID_MS }, now)
  await mailer.sendMail({
    to: email,
    subject: 'You are invited to Incident Feed',
    text: `You were invited to work with Incident Feed at ${publicUrl}, as ${account.role}. Open this link within 72 hours to sign in. It works once; afterwards, ${publicUrl}/sign-in mails you another.\n\n${link.url}\n\nIf you do not expect this, do nothing.\n`,
  })
  return link
}

export const LINK_VALID_MS = 15 * 60_000
/** An invitation waits for somebody who does not expect it. */
export const INVITATION_VALID_MS = 72 * 3_600_000

/** A link that signs in once; whoever has it is signed in. */
export interface NewLink {
  readonly url: string
  readonly expiresAt: number
}

/** For an account, to be handed over; or for the address that it is mailed to. */
type LinkRecipient = { readonly accountId: string } | { readonly email: string }

export async function issueSignInLink(
  store: Pick<Store, 'signInLinks'>,
  publicUrl: string,
  recipient: LinkRecipient & { readonly validMs?: number },
  now: number,
): Promise<NewLink> {
  const token = randomBytes(24).toString('base64url')
  const { validMs = LINK_VALID_MS } = recipient
  const expiresAt = now + validMs
  const accountId = 'accountId' in recipient ? recipient.accountId : null
  const email = 'email' in recipient ? recipient.email : null
  await store.signInLinks.add({ tokenHash: hashSecret(token), accountId, email, createdAt: now, expiresAt })
  return { url: `${publicUrl}/sign-in?token=${token}`, expiresAt }
}

/** A person who works for this installation: an account with a name, and without a key. */
interface NewMember {
  readonly email: string
  readonly name: string
  readonly role: Role
}

/** The operator vouches for the address: the account owns it. */
export function newMember({ email, name, role }: NewMember, now: number): Account & { email: string } {
  const account = makeAccount({ email, name, ownsEmail: true }, {}, now)
  return { ...account, email: account.email!, role }
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
