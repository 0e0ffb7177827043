import { countRequestedMail, secondsLeftOfDay } from '../../../accounts/mail.ts'
import type { Config } from '../../../config/settings.ts'
import { Problem } from '../../../domain/errors.ts'
import type { Store } from '../../../store/store.ts'

/**
 * Counts a mail that a stranger asked for; throws 429 at MAILS_PER_RECIPIENT or MAILS_PER_CLIENT.
 */
export async function countRequestedMails(
  store: Store,
  config: Config,
  email: string,
  client: string,
  now: number,
): Promise<void> {
  const limits = { perRecipient: config.MAILS_PER_RECIPIENT, perClient: config.MAILS_PER_CLIENT }
  const refusal = await countRequestedMail(store.mails, limits, email, client, now)
  if (refusal === null) return
  const rule =
    refusal === 'client_limit'
      ? `One client address may request ${limits.perClient} mails a day.`
      : `One e-mail address is sent ${limits.perRecipient} links a day; those sent today work for 24 hours.`
  const resetsIn = secondsLeftOfDay(now)
  throw new Problem('rate_limited', `${rule} Try again in ${resetsIn} s.`, {
    headers: { 'retry-after': String(resetsIn) },
  })
}
