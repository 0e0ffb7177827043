import { randomBytes } from 'node:crypto'
import type { Language } from '../../domain/languages.ts'
import type { WatchFilter } from '../../domain/watch.ts'
import type { Store } from '../../store/store.ts'
import { alertWatch } from '../alerts/alert-watch.ts'
import { ALERTS_ACCOUNT_ID } from '../alerts/alerts-account.ts'
import { LINK_KEY_BYTES, linkToken } from '../channels/email-target.ts'
import { encryptedRequest, type PushSigner } from '../channels/push/push-request.ts'
import { browserAlertOf, browserAlertText } from '../channels/push/push-target.ts'
import { type BrowserSubscription, shownEndpoint } from '../channels/push/subscription.ts'
import { addressOf } from '../send/channel-message.ts'
import { type MessageSender, SenderLost } from '../send/outgoing-request.ts'
import { browserHash, isAlert, watchesOfBrowser } from './browser-watches.ts'

/** A browser that is off for longer sees no greeting. */
const FIRST_LIVES_S = 3600

export interface BrowserAlertRequest {
  readonly subscription: BrowserSubscription
  readonly filter: WatchFilter
  /** The area, in words of the catalogue and names of places: nothing that a user wrote. */
  readonly label: string
  readonly language: Language
  /** The first notification, which says that the alert has started; JSON text. */
  readonly first: string
  /** ALERTS_PER_RECIPIENT */
  readonly max: number
}

export interface BrowserAlertParts {
  readonly store: Store
  readonly sender: MessageSender
  readonly push: PushSigner
}

export type StartOutcome =
  /** `token` is that of the link that shows and ends the alert. */
  | { readonly kind: 'started'; readonly token: string }
  | { readonly kind: 'too_many' }
  /** The push service knows no such browser, or did not subscribe it with our key. */
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'unavailable'; readonly detail: string }

/**
 * Starts an alert without an account once the push service has taken a first notification: an
 * endpoint that somebody made up would otherwise take messages from the hour's share of others. A
 * browser that asks twice for the same has it once.
 */
export async function startBrowserAlert(
  { store, sender, push }: BrowserAlertParts,
  { subscription, filter, label, language, first, max }: BrowserAlertRequest,
  now: number,
): Promise<StartOutcome> {
  const account = await store.accounts.find(ALERTS_ACCOUNT_ID)
  if (account?.status !== 'active')
    return { kind: 'unavailable', detail: 'The operator of this service has stopped alerts.' }
  const held = (await watchesOfBrowser(store, subscription.endpoint)).filter(isAlert)
  const same = held.find((watch) => watch.status === 'active' && watch.filter.canonical === filter.canonical)
  const sameKey = same && browserAlertOf(addressOf(same.secrets))?.key
  if (same && sameKey) return { kind: 'started', token: linkToken(same.id, sameKey) }
  if (held.length >= max) return { kind: 'too_many' }
  const refusal = await refusalOf(sender, { subscription, first }, push, now)
  if (refusal !== null) return refusal
  const key = randomBytes(LINK_KEY_BYTES).toString('base64url')
  const { endpoint } = subscription
  const target = browserAlertText(subscription, language, { key, label })
  const watch = alertWatch({ channel: 'webpush', url: shownEndpoint(endpoint), target }, filter, 'active', now)
  const isStarted = await store.alerts.start(watch, browserHash(endpoint), max)
  return isStarted ? { kind: 'started', token: linkToken(watch.id, key) } : { kind: 'too_many' }
}

/** Null if the push service has taken the first notification. */
async function refusalOf(
  sender: MessageSender,
  { subscription, first }: Pick<BrowserAlertRequest, 'subscription' | 'first'>,
  push: PushSigner,
  now: number,
): Promise<StartOutcome | null> {
  const headers = { ttl: String(FIRST_LIVES_S), urgency: 'normal' }
  try {
    const request = { ...encryptedRequest(subscription, first, headers, push, now), sentAt: now }
    const sent = await sender.post(request, ALERTS_ACCOUNT_ID)
    if (sent.kind === 'failed') return { kind: 'unavailable', detail: sent.message }
    const { status } = sent
    if (status >= 200 && status < 300) return null
    const isRefused = status >= 400 && status < 500 && status !== 408 && status !== 429
    return isRefused ? { kind: 'refused', status } : { kind: 'unavailable', detail: `It answered ${status}.` }
  } catch (error) {
    if (!(error instanceof SenderLost)) throw error
    return { kind: 'unavailable', detail: 'It is not known whether it took the first notification.' }
  }
}
