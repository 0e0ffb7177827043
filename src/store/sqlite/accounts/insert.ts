import type { Account } from '../../../domain/accounts.ts'
import type { Key } from '../../../domain/keys.ts'
import { accountValues, keyValues } from '../../shared/rows/account-rows.ts'
import type { Database } from '../connection/database.ts'

export function insertAccount(database: Database, account: Account): void {
  database.run(
    `INSERT INTO accounts (id, email, email_key, email_verified_at, name, role, status, limits, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    accountValues(account),
  )
}

export function insertKey(database: Database, key: Key): void {
  database.run(
    `INSERT INTO keys (id, account_id, kind, name, hash, hint, scopes, origins, rate_per_minute,
                       created_at, expires_at, revoked_at, from_environment)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [...keyValues(key), key.fromEnvironment ? 1 : 0],
  )
}
