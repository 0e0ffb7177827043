import type { WatchSecret } from '../../domain/watch.ts'
import type { WatchHeader } from '../../domain/watch-headers.ts'
import type { StoredSecrets, Watches } from '../interface/watches.ts'
import { headersOf } from '../shared/rows/watch-rows.ts'
import type { Store } from '../store.ts'
import { openHeaders, sealHeaders } from './sealed-headers.ts'
import { keyIdOf, type Sealer } from './sealer.ts'

const BATCH = 1000

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
  const isCurrent = (text: string) => keyIdOf(text) === sealer.keys.current.id
  for await (const batch of batchesOf(watches)) {
    const outdated = batch.filter((stored) => !encryptedTexts(stored).every(isCurrent))
    const changes = outdated.map((stored) => ({
      ...stored,
      secrets: sealedAgain(stored, sealer),
      headers: headersSealedAgain(stored, sealer),
    }))
    if (changes.length > 0) await watches.replaceSecrets(changes)
  }
}

function sealedAgain(stored: StoredSecrets, sealer: Sealer): WatchSecret[] {
  const { watchId } = stored
  return secretsOf(stored).map(({ secret, expiresAt }) => ({
    secret: sealer.seal(sealer.open(secret, watchId), watchId),
    expiresAt,
  }))
}

function headersSealedAgain(stored: StoredSecrets, sealer: Sealer): WatchHeader[] {
  const { watchId } = stored
  return sealHeaders(openHeaders(storedHeaders(stored), watchId, sealer), watchId, sealer)
}

/** All texts of a watch that are to be encrypted. */
function encryptedTexts(stored: StoredSecrets): string[] {
  return [...secretsOf(stored).map(({ secret }) => secret), ...storedHeaders(stored).map(({ value }) => value)]
}

export function storedHeaders({ headersText }: StoredSecrets): readonly WatchHeader[] {
  return headersOf(headersText)
}

export function secretsOf({ text }: StoredSecrets): WatchSecret[] {
  return JSON.parse(text) as WatchSecret[]
}

/** Every watch's secrets as they are stored, some at a time. */
export async function* batchesOf(watches: Watches): AsyncGenerator<StoredSecrets[]> {
  let after = ''
  for (;;) {
    const batch = await watches.storedSecrets(after, BATCH)
    if (batch.length > 0) yield batch
    if (batch.length < BATCH) return
    after = batch.at(-1)!.watchId
  }
}
