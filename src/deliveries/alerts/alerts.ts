import { hash } from 'node:crypto'
import { makeAccount } from '../../accounts/keys.ts'
import { type Mailer, recipientHash } from '../../accounts/mail.ts'
import { ACCOUNT_BLOCKED_REASON } from '../../domain/accounts.ts'
import { derivedIdentifier, newIdentifier } from '../../domain/identifier.ts'
import type { Language } from '../../domain/languages.ts'
import { type NewWatch, WATCH_EVENTS, type WatchFilter } from '../../domain/watch.ts'
import { randomBytes } from '../../lib/runtime.ts'
import type { Store } from '../../store/store.ts'
import { emailTargetText, LINK_KEY_BYTES, linkToken, pageAddress } from '../channels/target.ts'

const DAY_MS = 86_400_000
/** Lifetime of the link in the question; an alert that nobody confirmed is then deleted. */
export const LINK_VALID_MS = DAY_MS
/** Minimum interval between confirmation mails to one address. */
const ASK_AGAIN_AFTER_MS = 7 * DAY_MS

interface AlertRequest {
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
  const target = emailTargetText({ to: email, key, label, language })
  const watch = alertWatch('email', 'mailto:***', target, filter, 'paused', now)
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

/**
 * The watch of an alert without an account. `url` is shown; `target` is the address with what the
 * messages need: the watch's secret.
 */
export function alertWatch(
  channel: 'email' | 'webpush',
  url: string,
  target: string,
  filter: WatchFilter,
  status: 'active' | 'paused',
  now: number,
): NewWatch {
  const id = newIdentifier('watch', now, randomBytes)
  return {
    id,
    accountId: ALERTS_ACCOUNT_ID,
    // Unique; readers see the label, which is in the encrypted address.
    name: id,
    channel,
    url,
    description: null,
    filter,
    events: WATCH_EVENTS,
    status,
    disabledReason: null,
    secrets: [{ secret: target, expiresAt: null }],
    headers: [],
    schedule: null,
    createdAt: now,
    updatedAt: now,
  }
}

/** Owns the watches of those who have no account; nobody has a key of it. */
export const ALERTS_ACCOUNT_ID = derivedIdentifier('account', hash('sha256', 'alerts without an account', 'buffer'))

/** Blocking the account stops all alerts, and unblocking it starts them again. */
export async function ensureAlertsAccount({ accounts }: Pick<Store, 'accounts'>, now: number): Promise<void> {
  await accounts.ensure({ ...makeAccount({ email: null, name: 'Alerts' }, {}, now), id: ALERTS_ACCOUNT_ID })
}

const BATCH = 200

/** Deletes alerts that nobody confirmed or whose receiver is gone, and who was asked long ago. */
export async function removeEndedAlerts(
  { alerts, watches }: Pick<Store, 'alerts' | 'watches'>,
  now: number,
): Promise<void> {
  await alerts.deleteRequests(now - ASK_AGAIN_AFTER_MS)
  for (;;) {
    const ended = await alerts.toRemove(now - LINK_VALID_MS, ACCOUNT_BLOCKED_REASON, BATCH)
    for (const id of ended) await watches.remove(ALERTS_ACCOUNT_ID, id)
    if (ended.length < BATCH) return
  }
}
