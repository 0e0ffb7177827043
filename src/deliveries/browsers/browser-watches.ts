import { hashSecret } from '../../accounts/keys/hash-secret.ts'
import type { Watch } from '../../domain/watch.ts'
import type { Store } from '../../store/store.ts'
import { ALERTS_ACCOUNT_ID } from '../alerts/alerts-account.ts'
import { shownEndpoint, subscriptionOf } from '../channels/push/subscription.ts'
import { addressOf } from '../send/channel-message.ts'

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
