import { type Account, isHigherRole } from '../../domain/accounts.ts'
import type { Store } from '../../store/store.ts'
import { issueLink } from '../mail/links.ts'
import type { Mailer } from '../mail/mailer.ts'
import { accountsOf } from '../recovery.ts'
import { INVITATION_VALID_MS, issueSignInLink, type NewLink } from './sign-in-links.ts'

/** Anyone can open accounts with anyone's address: only the likeliest get a link. */
const MAX_ACCOUNTS = 3

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
  const accounts = (await accountsOf(store, email)).toSorted(byRole).slice(0, MAX_ACCOUNTS)
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
