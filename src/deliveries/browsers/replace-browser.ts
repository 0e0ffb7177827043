import { resumes, type Watch } from '../../domain/watch.ts'
import { DISABLED_REASONS } from '../../domain/watch-health.ts'
import type { Store } from '../../store/store.ts'
import { hostOfEndpoint } from '../channels/push/push-services.ts'
import { withSubscription } from '../channels/push/push-target.ts'
import { type BrowserSubscription, shownEndpoint } from '../channels/push/subscription.ts'
import { endpointFault, type Guard } from '../guard/guard.ts'
import { retryPending } from '../retry.ts'
import { addressOf } from '../send/channel-message.ts'
import { browserHash, isAlert, watchesOfBrowser } from './browser-watches.ts'

export interface ReplacementRules {
  readonly guard: Guard
  /** CHANNEL_HOSTS */
  readonly furtherHosts: readonly string[]
  /** ALERTS_PER_RECIPIENT */
  readonly maxAlerts: number
}

export type Replacement =
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
  { guard, furtherHosts, maxAlerts }: ReplacementRules,
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
