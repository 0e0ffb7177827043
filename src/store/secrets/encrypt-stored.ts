import type { WatchSecret } from '../../domain/watch.ts'
import type { StoredSecrets, Watches } from '../watches.ts'
import { keyIdOf, type Sealer } from './sealer.ts'

const BATCH = 1000

export interface KeysInUse {
  /** Ids of the keys that stored secrets are encrypted with. */
  readonly ids: ReadonlySet<string>
  /** True if some secret is not encrypted. */
  readonly hasPlain: boolean
}

export async function keysInUse(watches: Watches): Promise<KeysInUse> {
  const ids = new Set<string | null>()
  for await (const batch of batchesOf(watches)) {
    for (const { secret } of batch.flatMap(secretsOf)) ids.add(keyIdOf(secret))
  }
  return { ids: new Set([...ids].filter((id) => id !== null)), hasPlain: ids.has(null) }
}

/** Encrypts, with the current key, the secrets that are not. Several nodes may do so at once. */
export async function encryptStored(watches: Watches, sealer: Sealer): Promise<void> {
  const isCurrent = ({ secret }: WatchSecret) => keyIdOf(secret) === sealer.keys.current.id
  for await (const batch of batchesOf(watches)) {
    const outdated = batch.filter((stored) => !secretsOf(stored).every(isCurrent))
    const changes = outdated.map((stored) => ({ ...stored, secrets: sealedAgain(stored, sealer) }))
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
