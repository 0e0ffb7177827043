import type { VapidKeys } from '../../domain/channel.ts'
import type { Push } from '../interface/watches.ts'
import { keyIdOf, type Sealer } from './sealer.ts'

/** Bound to this name: the private key cannot be stored as the secret of a watch. */
const BOUND_TO = 'push keys'

export function sealPushKeys(keys: VapidKeys, sealer: Sealer): VapidKeys {
  return { ...keys, privateKey: sealer.seal(keys.privateKey, BOUND_TO) }
}

export function openPushKeys(keys: VapidKeys, sealer: Sealer): VapidKeys {
  return { ...keys, privateKey: sealer.open(keys.privateKey, BOUND_TO) }
}

/**
 * Encrypts the private key with the current key, or forgets keys that nobody can read any more: no
 * browser has subscribed with these, or the service would not start. Several nodes may do so at
 * once.
 */
export async function renewPushKeys(push: Push, sealer: Sealer): Promise<void> {
  const stored = await push.storedKeys()
  const keyId = stored && keyIdOf(stored.privateKey)
  if (stored === null || keyId === sealer.keys.current.id) return
  const isLost = keyId !== null && sealer.keys.find(keyId) === undefined
  await push.replaceKeys(stored, isLost ? null : sealPushKeys(openPushKeys(stored, sealer), sealer))
}
