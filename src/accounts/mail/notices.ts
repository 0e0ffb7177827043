import type { Store } from '../../store/store.ts'
import { countNotice } from './mail-limits.ts'
import type { Mailer } from './mailer.ts'

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
