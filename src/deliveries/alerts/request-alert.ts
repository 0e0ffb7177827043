import { randomBytes } from 'node:crypto'
import { recipientHash } from '../../accounts/mail/mail-limits.ts'
import type { Mailer } from '../../accounts/mail/mailer.ts'
import type { Language } from '../../domain/languages.ts'
import type { WatchFilter } from '../../domain/watch.ts'
import type { Store } from '../../store/store.ts'
import { emailTargetText, LINK_KEY_BYTES, linkToken } from '../channels/email-target.ts'
import { pageAddress } from '../channels/page-address.ts'
import { alertWatch } from './alert-watch.ts'
import { ALERTS_ACCOUNT_ID } from './alerts-account.ts'

const DAY_MS = 86_400_000
/** How long the link in the question works; an alert that nobody confirmed is then deleted. */
export const LINK_VALID_MS = DAY_MS
/** Who does not answer is asked no more than this often, whoever asks for whatever. */
export const ASK_AGAIN_AFTER_MS = 7 * DAY_MS

export interface AlertRequest {
  readonly email: string
  readonly filter: WatchFilter
  /** The area, in words of the catalogue and names of places: nothing that a user wrote. */
  readonly label: string
  /** Of the mails about incidents. */
  readonly language: Language
  /** The mail in the reader's language; gets the link. */
  readonly question: (link: string) => { readonly subject: string; readonly text: string }
}

/**
 * Stores the alert, paused, and asks its receiver. Nothing happens if the receiver was asked lately
 * and has not answered; who asks is not told, so that nobody learns who has alerts.
 */
export async function requestAlert(
  store: Pick<Store, 'alerts' | 'watches'>,
  mailer: Mailer,
  publicUrl: string,
  { email, filter, label, language, question }: AlertRequest,
  now: number,
): Promise<void> {
  const key = randomBytes(LINK_KEY_BYTES).toString('base64url')
  // The address is stored in no other place than the secret.
  const place = {
    channel: 'email',
    url: 'mailto:***',
    target: emailTargetText({ to: email, key, label, language }),
  } as const
  const watch = alertWatch(place, filter, 'paused', now)
  if (!(await store.alerts.add(watch, recipientHash(email), now - ASK_AGAIN_AFTER_MS))) return
  try {
    const link = pageAddress(publicUrl, `/alerts/confirm/${linkToken(watch.id, key)}`, language)
    await mailer.sendMail({ to: email, ...question(link) })
  } catch (error) {
    // The receiver was not asked, so it may be asked again at once.
    await store.alerts.forgetRequest(watch.id)
    await store.watches.remove(ALERTS_ACCOUNT_ID, watch.id)
    throw error
  }
}
