import type { Account } from '../../../domain/accounts.ts'
import type { Key } from '../../../domain/keys.ts'
import type { Database } from '../connection/database.ts'
import { insertAccount, insertKey } from './insert.ts'

/** Makes `key` the only valid key that came from the environment. */
export function setEnvironmentKey(database: Database, account: Account, key: Key, now: number): void {
  database.transaction(() => {
    const known = database.run('UPDATE keys SET from_environment = 1 WHERE hash = ?', [key.hash])
    if (known === 0) {
      const predecessor = database.get<{ account_id: string }>(
        'SELECT account_id FROM keys WHERE from_environment = 1 ORDER BY created_at DESC LIMIT 1',
      )
      if (predecessor === undefined) insertAccount(database, account)
      insertKey(database, { ...key, accountId: predecessor?.account_id ?? account.id })
    }
    database.run('UPDATE keys SET revoked_at = ? WHERE from_environment = 1 AND revoked_at IS NULL AND hash <> ?', [
      now,
      key.hash,
    ])
  })
}
