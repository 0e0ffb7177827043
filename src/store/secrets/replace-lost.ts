import { openStore } from '../open.ts'
import type { StoredSecrets } from '../watches.ts'
import { batchesOf, secretsOf, storedHeaders } from './encrypt-stored.ts'
import { knownKeys } from './known-keys.ts'
import { keyIdOf } from './sealer.ts'
import { SecretKeys } from './secret-keys.ts'

export interface LostSecrets {
  readonly watchId: string
  readonly hasNewSecret: boolean
  /** Names of headers that were removed. */
  readonly headers: readonly string[]
}

/**
 * Gives a new secret to every watch whose secrets are encrypted with a key that is lost, and removes
 * headers whose values are, so that the service can start. It encrypts the secrets then.
 */
export async function replaceLostSecrets(
  databaseUrl: string,
  given: readonly Uint8Array[] | null,
  newSecret: () => string,
): Promise<LostSecrets[]> {
  const bytes = knownKeys(databaseUrl, given, () => {})
  const keys = bytes.length === 0 ? null : new SecretKeys(bytes)
  const isLost = (text: string) => {
    const id = keyIdOf(text)
    return id !== null && keys?.find(id) === undefined
  }
  await using store = await openStore(databaseUrl)
  const replaced: LostSecrets[] = []
  for await (const batch of batchesOf(store.watches)) {
    const lost = batch
      .map((stored) => lostOf(stored, isLost))
      .filter(({ hasNewSecret, headers }) => hasNewSecret || headers.length > 0)
    if (lost.length === 0) continue
    await store.watches.replaceSecrets(
      lost.map(({ stored, hasNewSecret }) => ({
        ...stored,
        secrets: hasNewSecret ? [{ secret: newSecret(), expiresAt: null }] : secretsOf(stored),
        headers: storedHeaders(stored).filter(({ value }) => !isLost(value)),
      })),
    )
    replaced.push(...lost.map(({ watchId, hasNewSecret, headers }) => ({ watchId, hasNewSecret, headers })))
  }
  return replaced
}

function lostOf(stored: StoredSecrets, isLost: (text: string) => boolean) {
  return {
    stored,
    watchId: stored.watchId,
    hasNewSecret: secretsOf(stored).some(({ secret }) => isLost(secret)),
    headers: storedHeaders(stored)
      .filter(({ value }) => isLost(value))
      .map(({ name }) => name),
  }
}
