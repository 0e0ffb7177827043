import { AccountDeleted } from '../../store.ts'
import type { Database } from '../connection/database.ts'

/** Runs within the caller's transaction. Throws `AccountDeleted`. */
export function requireOpen(database: Database, accountId: string): void {
  const account = database.get<{ status: string }>('SELECT status FROM accounts WHERE id = ?', [accountId])
  if (account?.status === 'deleted') throw new AccountDeleted()
}

export function isBlocked(database: Database, accountId: string): boolean {
  return database.get("SELECT 1 FROM accounts WHERE id = ? AND status = 'blocked'", [accountId]) !== undefined
}
