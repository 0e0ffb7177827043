import { type ChannelKind, isMessenger } from '../../domain/channel.ts'
import type { StoredSecrets } from '../interface/watches.ts'
import { openStore } from '../open.ts'
import { channelOf } from '../queries/watches.ts'
import { knownKeys } from './keys.ts'
import { batchesOf, secretsOf, storedHeaders } from './open-sealed.ts'
import { keyIdOf, SecretKeys } from './sealer.ts'

export interface LostSecrets {
  readonly watchId: string
  readonly channel: ChannelKind
  readonly hasNewSecret: boolean
  /** True if the secret was the address that messages go to: only the owner can give it again. */
  readonly lostAddress: boolean
  /** Names of headers that were removed. */
  readonly headers: readonly string[]
}

/** Why the service has disabled a watch whose address is lost, for its owner. */
export const LOST_ADDRESS = 'Its address was lost with the key of this service. Give it again, then resume the watch.'

/**
 * Gives a new secret to every webhook whose secrets are encrypted with a key that is lost, and
 * removes headers whose values are, so that the service can start. It encrypts the secrets then.
 * Watches of other channels are disabled until their owners give the address again; that of a
 * Telegram chat is no secret, and stays.
 */
export async function replaceLostSecrets(
  databaseUrl: string,
  given: readonly Uint8Array[] | null,
  newSecret: () => string,
  now: number,
): Promise<LostSecrets[]> {
  const bytes = knownKeys(databaseUrl, given, () => {})
  const keys = bytes.length === 0 ? null : new SecretKeys(bytes)
  const isLost = (text: string) => {
    const id = keyIdOf(text)
    return id !== null && keys?.find(id) === undefined
  }
  await using store = await openStore(databaseUrl)
  const pushKeys = await store.push.storedKeys()
  const pushKeysLost = pushKeys !== null && isLost(pushKeys.privateKey)
  const replaced: LostSecrets[] = []
  for await (const batch of batchesOf(store.watches)) {
    const changes = batch
      .map((stored) => ({
        ...stored,
        secrets: secretsAfter(stored, newSecret, isLost),
        headers: storedHeaders(stored).filter(({ value }) => !isLost(value)),
      }))
      .filter((stored) => [...secretsOf(stored).map(({ secret }) => secret), ...headerValues(stored)].some(isLost))
    if (changes.length > 0) await store.watches.replaceSecrets(changes)
    const lost = batch
      .map((stored) => ({ stored, ...lostOf(stored, isLost, pushKeysLost) }))
      .filter(({ hasNewSecret, lostAddress, headers }) => hasNewSecret || lostAddress || headers.length > 0)
    for (const { stored, lostAddress } of lost)
      if (lostAddress) {
        const { accountId, watchId, url } = stored
        await store.watches.disable(accountId, watchId, { url, reason: LOST_ADDRESS }, now)
      }
    replaced.push(...lost.map(({ stored: _, ...each }) => each))
  }
  // Browsers take messages only from the keys that they subscribed with: they must subscribe again.
  if (pushKeysLost) await store.push.replaceKeys(pushKeys, null)
  return replaced
}

function lostOf(stored: StoredSecrets, isLost: (text: string) => boolean, pushKeysLost: boolean): LostSecrets {
  const channel = channelOf(stored.channel)
  const secretIsLost = secretsOf(stored).some(({ secret }) => isLost(secret))
  return {
    watchId: stored.watchId,
    channel,
    hasNewSecret: secretIsLost && !isMessenger(channel),
    lostAddress:
      (secretIsLost && isMessenger(channel) && channel !== 'telegram') || (channel === 'webpush' && pushKeysLost),
    headers: storedHeaders(stored)
      .filter(({ value }) => isLost(value))
      .map(({ name }) => name),
  }
}

function secretsAfter(stored: StoredSecrets, newSecret: () => string, isLost: (text: string) => boolean) {
  const secrets = secretsOf(stored)
  if (!secrets.some(({ secret }) => isLost(secret))) return secrets
  const channel = channelOf(stored.channel)
  // The chat is what is shown; of other addresses nothing is left.
  const address = channel === 'telegram' ? stored.url.slice('telegram:'.length) : ''
  return [{ secret: isMessenger(channel) ? address : newSecret(), expiresAt: null }]
}

function headerValues(stored: StoredSecrets): string[] {
  return storedHeaders(stored).map(({ value }) => value)
}
