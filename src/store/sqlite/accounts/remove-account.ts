import { DELETED_ACCOUNT_NAME } from '../../../domain/accounts.ts'
import type { RemovedAccount } from '../../accounts/accounts.ts'
import type { Database } from '../connection/database.ts'

interface FoundAccount {
  readonly role: string
  readonly status: string
  readonly email: string | null
  readonly email_key: string | null
}

/** Runs within the caller's transaction. */
export function removeAccount(database: Database, id: string, now: number): RemovedAccount | 'has_role' | null {
  const account = database.get<FoundAccount>('SELECT role, status, email, email_key FROM accounts WHERE id = ?', [id])
  if (account === undefined || account.status === 'deleted') return null
  if (account.role !== 'client') return 'has_role'
  removeWatches(database, id)
  database.run('DELETE FROM areas WHERE account_id = ?', [id])
  database.run('DELETE FROM site_lists WHERE account_id = ?', [id])
  database.run('DELETE FROM passkeys WHERE account_id = ?', [id])
  database.run('DELETE FROM sign_in_links WHERE account_id = ?', [id])
  const sessions = database.all<{ hash: string }>(
    'UPDATE sessions SET ended_at = coalesce(ended_at, ?), user_agent = NULL WHERE account_id = ? RETURNING hash',
    [now, id],
  )
  const keys = database.all<{ hash: string }>(
    `UPDATE keys SET revoked_at = coalesce(revoked_at, ?), name = NULL, origins = '[]' WHERE account_id = ?
     RETURNING hash`,
    [now, id],
  )
  database.run('DELETE FROM idempotency WHERE subject = ?', [id])
  removeNames(database, id)
  database.run(
    `UPDATE accounts SET email = NULL, email_key = NULL, email_verified_at = NULL, name = NULL, limits = '{}',
       status = 'deleted', blocked_at = ?
     WHERE id = ?`,
    [now, id],
  )
  removeRecoveries(database, account)
  return { keyHashes: keys.map(({ hash }) => hash), sessionHashes: sessions.map(({ hash }) => hash) }
}

/** Each removal has a revision, so that every node's index follows. */
function removeWatches(database: Database, accountId: string): void {
  const removed = database.run(
    `INSERT INTO removed_watches (id, revision, emptied)
     SELECT watches.id, watch_head.revision + row_number() OVER (ORDER BY watches.id), 0
     FROM watches CROSS JOIN watch_head WHERE watches.account_id = ?`,
    [accountId],
  )
  database.run('DELETE FROM watches WHERE account_id = ?', [accountId])
  database.hasNotified = true
  database.run('UPDATE watch_head SET revision = revision + ?', [removed])
}

/** What was done, when and by which id stays in the audit log. */
function removeNames(database: Database, accountId: string): void {
  database.run(
    `UPDATE audit SET actor = CASE WHEN account_id = ?1 THEN ?2 ELSE actor END,
       old = json_remove(old, '$.name', '$.email', '$.user_agent'),
       new = json_remove(new, '$.name', '$.email', '$.user_agent')
     WHERE account_id = ?1 OR subject = ?1`,
    [accountId, DELETED_ACCOUNT_NAME],
  )
}

/** Mailed links to a new key, unless another account has the address. */
function removeRecoveries(database: Database, { email, email_key: key }: FoundAccount): void {
  if (key === null) return
  database.run(
    `DELETE FROM signups WHERE purpose = 'recovery' AND (email = ?1 OR lower(email) = ?2)
       AND NOT EXISTS (SELECT 1 FROM accounts WHERE email_key = ?2)`,
    [email, key],
  )
}
