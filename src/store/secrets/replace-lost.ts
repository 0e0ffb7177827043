import { openStore } from '../open.ts'
import { batchesOf, secretsOf } from './encrypt-stored.ts'
import { knownKeys } from './known-keys.ts'
import { keyIdOf } from './sealer.ts'
import { SecretKeys } from './secret-keys.ts'

/**
 * Gives a new secret to every watch whose secrets are encrypted with a key that is lost, so that
 * the service can start. It encrypts them then. Returns the ids of these watches.
 */
export async function replaceLostSecrets(
  databaseUrl: string,
  given: readonly Uint8Array[] | null,
  newSecret: () => string,
): Promise<string[]> {
  const bytes = knownKeys(databaseUrl, given, () => {})
  const keys = bytes.length === 0 ? null : new SecretKeys(bytes)
  const isLost = (secret: string) => {
    const id = keyIdOf(secret)
    return id !== null && keys?.find(id) === undefined
  }
  await using store = await openStore(databaseUrl)
  const replaced: string[] = []
  for await (const batch of batchesOf(store.watches)) {
    const lost = batch.filter((stored) => secretsOf(stored).some(({ secret }) => isLost(secret)))
    if (lost.length === 0) continue
    const secrets = () => [{ secret: newSecret(), expiresAt: null }]
    await store.watches.replaceSecrets(lost.map((stored) => ({ ...stored, secrets: secrets() })))
    replaced.push(...lost.map(({ watchId }) => watchId))
  }
  return replaced
}
