import type { Account } from '../../../domain/accounts.ts'
import type { Key } from '../../../domain/keys.ts'
import type { Query } from '../connection/connection.ts'
import { insertAccount, insertKey } from './insert.ts'

/** Any number; nodes that start together set the key one after the other. */
const LOCK = 7_301_519

/** Makes `key` the only valid key that came from the environment. */
export async function setEnvironmentKey(query: Query, account: Account, key: Key, now: number): Promise<void> {
  await query('SELECT pg_advisory_xact_lock($1)', [LOCK])
  const known = await query('UPDATE keys SET from_environment = true WHERE hash = $1 RETURNING id', [key.hash])
  if (known.length === 0) {
    const [predecessor] = await query<{ account_id: string }>(
      'SELECT account_id FROM keys WHERE from_environment ORDER BY created_at DESC LIMIT 1',
    )
    if (predecessor === undefined) await insertAccount(query, account)
    await insertKey(query, { ...key, accountId: predecessor?.account_id ?? account.id })
  }
  await query('UPDATE keys SET revoked_at = $1 WHERE from_environment AND revoked_at IS NULL AND hash <> $2', [
    now,
    key.hash,
  ])
}
