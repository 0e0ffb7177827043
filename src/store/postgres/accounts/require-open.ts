import { AccountDeleted } from '../../store.ts'
import type { Query } from '../connection/connection.ts'

/**
 * Throws `AccountDeleted`. The caller holds the lock of the account or of the watches' head, for
 * which a deletion waits.
 */
export async function requireOpen(query: Query, accountId: string): Promise<void> {
  const [account] = await query<{ status: string }>('SELECT status FROM accounts WHERE id = $1', [accountId])
  if (account?.status === 'deleted') throw new AccountDeleted()
}

export async function isBlocked(query: Query, accountId: string): Promise<boolean> {
  return (await query("SELECT 1 FROM accounts WHERE id = $1 AND status = 'blocked'", [accountId])).length > 0
}
