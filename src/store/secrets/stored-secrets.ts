import { type ChannelKind, isMessenger, type WatchSecret } from '../../domain/watch.ts'
import { openStore } from '../open.ts'
import { channelOf, headersOf } from '../queries/watches.ts'
import type { SecretsReplacement, Store, Watches } from '../store.ts'
import { knownKeys } from './keys.ts'
import { idOfKey, keyIdOf, type Sealer } from './sealer.ts'

const BATCH = 1000

/** Every watch's secrets and headers as they are stored, some at a time. */
async function* batchesOf(watches: Watches): AsyncGenerator<SecretsReplacement[]> {
  let after = ''
  for (;;) {
    const batch = await watches.storedSecrets(after, BATCH)
    const read = ({ text, headersText }: (typeof batch)[number]) => ({
      secrets: JSON.parse(text) as WatchSecret[],
      headers: headersOf(headersText),
    })
    if (batch.length > 0) yield batch.map((stored) => ({ ...stored, ...read(stored) }))
    if (batch.length < BATCH) return
    after = batch.at(-1)!.watchId
  }
}

/** All texts of a watch that are to be encrypted. */
function encryptedTexts({ secrets, headers }: SecretsReplacement): string[] {
  return [...secrets.map(({ secret }) => secret), ...headers.map(({ value }) => value)]
}

export interface KeysInUse {
  /** Ids of the keys that stored secrets are encrypted with. */
  readonly ids: ReadonlySet<string>
  /** True if some secret is not encrypted. */
  readonly hasPlain: boolean
}

export async function keysInUse({ watches, push }: Pick<Store, 'watches' | 'push'>): Promise<KeysInUse> {
  const ids = new Set<string | null>()
  let hasBrowsers = false
  for await (const batch of batchesOf(watches)) {
    for (const text of batch.flatMap(encryptedTexts)) ids.add(keyIdOf(text))
    hasBrowsers ||= batch.some(({ channel }) => channel === 'webpush')
  }
  // Without a browser that has subscribed with them, others are as good.
  const pushKeys = hasBrowsers ? await push.storedKeys() : null
  if (pushKeys !== null) ids.add(keyIdOf(pushKeys.privateKey))
  return { ids: new Set([...ids].filter((id) => id !== null)), hasPlain: ids.has(null) }
}

/**
 * Encrypts, with the current key, the secrets and headers that are not. Several nodes may do so at
 * once.
 */
export async function encryptStored(watches: Watches, sealer: Sealer): Promise<void> {
  const isCurrent = (text: string) => keyIdOf(text) === sealer.currentId
  for await (const batch of batchesOf(watches)) {
    const outdated = batch.filter((stored) => !encryptedTexts(stored).every(isCurrent))
    const changes = outdated.map((stored) => ({
      ...stored,
      secrets: sealer.sealSecrets(sealer.openSecrets(stored.secrets, stored.watchId), stored.watchId),
      headers: sealer.sealHeaders(sealer.openHeaders(stored.headers, stored.watchId), stored.watchId),
    }))
    if (changes.length > 0) await watches.replaceSecrets(changes)
  }
}

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
const LOST_ADDRESS = 'Its address was lost with the key of this service. Give it again, then resume the watch.'

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
  const known = new Set<string | null>(knownKeys(databaseUrl, given, () => {}).map(idOfKey)).add(null)
  const isLost = (text: string) => !known.has(keyIdOf(text))
  await using store = await openStore(databaseUrl)
  const pushKeys = await store.push.storedKeys()
  const pushKeysLost = pushKeys !== null && isLost(pushKeys.privateKey)
  const replaced: LostSecrets[] = []
  for await (const batch of batchesOf(store.watches)) {
    const changes = batch
      .filter((stored) => encryptedTexts(stored).some(isLost))
      .map((stored) => ({
        ...stored,
        secrets: secretsAfter(stored, newSecret, isLost),
        headers: stored.headers.filter(({ value }) => !isLost(value)),
      }))
    if (changes.length > 0) await store.watches.replaceSecrets(changes)
    for (const stored of batch) {
      const lost = lostOf(stored, isLost, pushKeysLost)
      if (!lost.hasNewSecret && !lost.lostAddress && lost.headers.length === 0) continue
      replaced.push(lost)
      const { accountId, watchId, url } = stored
      if (lost.lostAddress) await store.watches.disable(accountId, watchId, { url, reason: LOST_ADDRESS }, now)
    }
  }
  // Browsers take messages only from the keys that they subscribed with: they must subscribe again.
  if (pushKeysLost) await store.push.replaceKeys(pushKeys, null)
  return replaced
}

function lostOf(stored: SecretsReplacement, isLost: (text: string) => boolean, pushKeysLost: boolean): LostSecrets {
  const channel = channelOf(stored.channel)
  const secretIsLost = stored.secrets.some(({ secret }) => isLost(secret))
  return {
    watchId: stored.watchId,
    channel,
    hasNewSecret: secretIsLost && !isMessenger(channel),
    lostAddress:
      (secretIsLost && isMessenger(channel) && channel !== 'telegram') || (channel === 'webpush' && pushKeysLost),
    headers: stored.headers.filter(({ value }) => isLost(value)).map(({ name }) => name),
  }
}

function secretsAfter(
  { secrets, channel: stored, url }: SecretsReplacement,
  newSecret: () => string,
  isLost: (text: string) => boolean,
): readonly WatchSecret[] {
  if (!secrets.some(({ secret }) => isLost(secret))) return secrets
  const channel = channelOf(stored)
  // The chat is what is shown; of other addresses nothing is left.
  const address = channel === 'telegram' ? url.slice('telegram:'.length) : ''
  return [{ secret: isMessenger(channel) ? address : newSecret(), expiresAt: null }]
}
