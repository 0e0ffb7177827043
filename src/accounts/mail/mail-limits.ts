import { emailKey } from '../../domain/accounts.ts'
import type { Mails } from '../../store/store.ts'
import { hashSecret } from '../keys/hash-secret.ts'

/** Mails per UTC day. */
export interface MailLimits {
  readonly perRecipient: number
  readonly perClient: number
}

export type MailRefusal = 'client_limit' | 'recipient_limit'

/** Counts a mail that a stranger asked for: by client first, so that it cannot fill the table. */
export async function countRequestedMail(
  mails: Mails,
  limits: MailLimits,
  email: string,
  client: string,
  now: number,
): Promise<MailRefusal | null> {
  const day = dayOf(now)
  if (!(await mails.countMail(`client ${client}`, day, limits.perClient))) return 'client_limit'
  return (await mails.countMail(`link ${recipientHash(email)}`, day, limits.perRecipient)) ? null : 'recipient_limit'
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
  return hashSecret(emailKey(email).replace(/\+[^@]*@/, '@'))
}

function dayOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10)
}
