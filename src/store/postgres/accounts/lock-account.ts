import type { Query } from '../connection/connection.ts'

/**
 * Locks the account until the transaction ends: what it has is counted and named one change at a
 * time.
 */
export async function lockAccount(query: Query, accountId: string): Promise<void> {
  await query('SELECT id FROM accounts WHERE id = $1 FOR NO KEY UPDATE', [accountId])
}
