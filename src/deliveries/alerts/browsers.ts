import { hashSecret } from '../../accounts/keys.ts'
import { type Mailer, mailNotice } from '../../accounts/mail.ts'
import type { Language } from '../../domain/languages.ts'
import { resumes, type Watch, type WatchFilter } from '../../domain/watch.ts'
import { DISABLED_REASONS } from '../../domain/watch-health.ts'
import { randomBytes } from '../../lib/runtime.ts'
import type { Store } from '../../store/store.ts'
import {
  type BrowserSubscription,
  browserAlertOf,
  browserAlertText,
  hostOfEndpoint,
  shownEndpoint,
  subscriptionOf,
  withSubscription,
} from '../channels/browser-subscription.ts'
import { LINK_KEY_BYTES, linkToken } from '../channels/target.ts'
import { encryptedRequest, type PushSigner } from '../channels/web-push.ts'
import { endpointFault, type Guard } from '../guard/guard.ts'
import { retryPending } from '../recover.ts'
import { SenderLost } from '../send/failure.ts'
import { addressOf, type MessageSender, type OutgoingRequest } from '../send/message.ts'
import { ALERTS_ACCOUNT_ID, alertWatch } from './alerts.ts'

/** A browser that is off for longer sees no greeting. */
const FIRST_LIVES_S = 3600

interface BrowserAlertRequest {
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

type StartOutcome =
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
  { store, sender, push }: { store: Store; sender: MessageSender; push: PushSigner },
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
  const headers = { ttl: String(FIRST_LIVES_S), urgency: 'normal' }
  const request = { ...encryptedRequest(subscription, first, headers, push, now), sentAt: now }
  const refusal = await refusalOf(sender, request)
  if (refusal !== null) return refusal
  const key = randomBytes(LINK_KEY_BYTES).toString('base64url')
  const { endpoint } = subscription
  const target = browserAlertText(subscription, language, { key, label })
  const watch = alertWatch('webpush', shownEndpoint(endpoint), target, filter, 'active', now)
  const isStarted = await store.alerts.start(watch, browserHash(endpoint), max)
  return isStarted ? { kind: 'started', token: linkToken(watch.id, key) } : { kind: 'too_many' }
}

/** Null if the push service has taken the first notification. */
async function refusalOf(sender: MessageSender, request: OutgoingRequest): Promise<StartOutcome | null> {
  try {
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

type Replacement =
  | { readonly kind: 'replaced'; readonly watches: number }
  | { readonly kind: 'too_many' }
  /** In words that follow "endpoint". */
  | { readonly kind: 'refused'; readonly fault: string }

/**
 * Moves all watches of a browser to its other subscription: browsers replace them by themselves.
 * Whoever knows the earlier endpoint is the browser: it is told to nobody else. May be repeated
 * after a crash, since each watch is found by the earlier endpoint until it has moved.
 */
export async function replaceBrowser(
  store: Store,
  { guard, furtherHosts, maxAlerts }: { guard: Guard; furtherHosts: readonly string[]; maxAlerts: number },
  earlier: string,
  subscription: BrowserSubscription,
  now: number,
): Promise<Replacement> {
  const { endpoint } = subscription
  const watches = await watchesOfBrowser(store, earlier)
  const [first] = watches
  if (first === undefined || endpoint === earlier) return { kind: 'replaced', watches: 0 }
  const alerts = watches.filter(isAlert).length
  const host = hostOfEndpoint(endpoint, furtherHosts)
  if (alerts > 0 && host === 'other') return { kind: 'refused', fault: 'is not of a known push service' }
  const fault = host === 'push service' ? null : await endpointFault(endpoint, guard, first.accountId)
  if (fault !== null) return { kind: 'refused', fault }
  const held = (await watchesOfBrowser(store, endpoint)).filter(isAlert).length
  if (alerts > 0 && held + alerts > maxAlerts) return { kind: 'too_many' }
  for (const watch of watches) await moveWatch(store, watch, subscription, now)
  return { kind: 'replaced', watches: watches.length }
}

async function moveWatch(store: Store, watch: Watch, subscription: BrowserSubscription, now: number): Promise<void> {
  const { id, accountId, secrets, status, disabledReason } = watch
  const { endpoint } = subscription
  if (isAlert(watch)) await store.alerts.setRecipient(id, browserHash(endpoint))
  // The browser was found gone, or unseen, only because it has another subscription.
  const wasLost = disabledReason === DISABLED_REASONS.gone || disabledReason === DISABLED_REASONS.unseen
  const goesOn = status === 'disabled' && wasLost && (await store.accounts.find(accountId))?.status === 'active'
  const patch = {
    url: shownEndpoint(endpoint),
    rotation: { secret: withSubscription(addressOf(secrets), subscription), previousExpiresAt: 0 },
    ...(goesOn && { status: 'active' as const }),
  }
  const changed = await store.watches.change(accountId, id, patch, now)
  // Null if it was removed meanwhile.
  if (changed === null) return
  if (typeof changed === 'string') throw new TypeError(`moving a watch to another browser was refused: ${changed}`)
  if (resumes(watch, changed)) await retryPending(changed, store, now)
}

const DAY_MS = 86_400_000
/** A browser that shows notifications, but whose owner never opens a page, may be nobody's. */
export const UNSEEN_AFTER_MS = 60 * DAY_MS
const BATCH = 100

/** Disables watches of browsers unseen for 60 days and mails their owners; deletes alerts. */
export async function disableUnseenBrowsers(
  store: Store,
  mailer: Mailer | null,
  now: number,
  onError: (error: unknown) => void,
): Promise<void> {
  const reason = DISABLED_REASONS.unseen
  for (;;) {
    const unseen = await store.push.unseen(now - UNSEEN_AFTER_MS, BATCH)
    for (const { watchId, accountId, url } of unseen) {
      const disabled = await store.watches.disable(accountId, watchId, { url, reason }, now)
      if (disabled && isAlert({ accountId })) await store.watches.remove(accountId, watchId)
      // One mail that fails must not keep the other watches waiting.
      else if (disabled && mailer !== null)
        await mailNotice(store, mailer, accountId, notice(watchId, reason), now).catch(onError)
    }
    if (unseen.length < BATCH) return
  }
}

function notice(id: string, reason: string) {
  return {
    subject: 'Notifications in a browser of yours were switched off',
    text: `${reason}\n\nNothing more is sent for the watch ${id}. To have notifications again, open the console in the browser that is to show them, and turn them on there.\n`,
  }
}

/** More than one browser has; a request reads no more. */
const MAX_WATCHES = 1000

/** Counts the alerts of one browser, as the hash of a mail address does. */
export function browserHash(endpoint: string): string {
  return hashSecret(`browser ${endpoint}`)
}

/**
 * The watches of a browser, of all accounts and of none. Its endpoint is the proof that it asks:
 * the whole one is compared, not only the fingerprint by which watches are found.
 */
export async function watchesOfBrowser({ push }: Pick<Store, 'push'>, endpoint: string): Promise<Watch[]> {
  const found = await push.watchesOf(shownEndpoint(endpoint), MAX_WATCHES)
  return found.filter(({ secrets }) => subscriptionOf(addressOf(secrets))?.endpoint === endpoint)
}

export function isAlert({ accountId }: Pick<Watch, 'accountId'>): boolean {
  return accountId === ALERTS_ACCOUNT_ID
}
