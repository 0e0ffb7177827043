import type { Account } from '../../../domain/accounts.ts'
import type { Key } from '../../../domain/keys.ts'
import { accountValues, keyValues } from '../../shared/rows/account-rows.ts'
import type { Query } from '../connection/connection.ts'

/** Leaves an existing account as it is. */
export async function insertAccount(query: Query, account: Account): Promise<void> {
  await query(
    `INSERT INTO accounts (id, email, email_key, email_verified_at, name, role, status, limits, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (id) DO NOTHING`,
    accountValues(account),
  )
}

export async function insertKey(query: Query, key: Key): Promise<void> {
  await query(
    `INSERT INTO keys (id, account_id, kind, name, hash, hint, scopes, origins, rate_per_minute,
                       created_at, expires_at, revoked_at, from_environment)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13::int = 1)`,
    [...keyValues(key), key.fromEnvironment ? 1 : 0],
  )
}
