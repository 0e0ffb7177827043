import { DELETED_ACCOUNT_NAME } from '../../../domain/accounts.ts'
import type { RemovedAccount } from '../../accounts/accounts.ts'
import type { Query } from '../connection/connection.ts'
import { advanceRevision, lockedRevision } from '../watches/watch-head.ts'

interface FoundAccount {
  readonly role: string
  readonly status: string
  readonly email: string | null
  readonly email_key: string | null
}

/**
 * Runs within the caller's transaction. Locks the account before the watches' head, as blocking
 * does.
 */
export async function removeAccount(
  query: Query,
  id: string,
  now: number,
): Promise<RemovedAccount | 'has_role' | null> {
  const [account] = await query<FoundAccount>(
    'SELECT role, status, email, email_key FROM accounts WHERE id = $1 FOR NO KEY UPDATE',
    [id],
  )
  if (account === undefined || account.status === 'deleted') return null
  if (account.role !== 'client') return 'has_role'
  await removeWatches(query, id)
  await query('DELETE FROM areas WHERE account_id = $1', [id])
  await query('DELETE FROM site_lists WHERE account_id = $1', [id])
  await query('DELETE FROM passkeys WHERE account_id = $1', [id])
  await query('DELETE FROM sign_in_links WHERE account_id = $1', [id])
  const sessions = await query<{ hash: string }>(
    'UPDATE sessions SET ended_at = coalesce(ended_at, $1), user_agent = NULL WHERE account_id = $2 RETURNING hash',
    [now, id],
  )
  const keys = await query<{ hash: string }>(
    `UPDATE keys SET revoked_at = coalesce(revoked_at, $1), name = NULL, origins = '[]' WHERE account_id = $2
     RETURNING hash`,
    [now, id],
  )
  await query('DELETE FROM idempotency WHERE subject = $1', [id])
  await removeNames(query, id)
  await query(
    `UPDATE accounts SET email = NULL, email_key = NULL, email_verified_at = NULL, name = NULL, limits = '{}',
       status = 'deleted', blocked_at = $1
     WHERE id = $2`,
    [now, id],
  )
  await removeRecoveries(query, account)
  return { keyHashes: keys.map(({ hash }) => hash), sessionHashes: sessions.map(({ hash }) => hash) }
}

/** Each removal has a revision, so that every node's index follows. */
async function removeWatches(query: Query, accountId: string): Promise<void> {
  const revision = await lockedRevision(query)
  const removed = await query(
    `WITH removed AS (DELETE FROM watches WHERE account_id = $1 RETURNING id)
     INSERT INTO removed_watches (id, revision, emptied)
     SELECT id, $2 + row_number() OVER (ORDER BY id), false FROM removed
     RETURNING id`,
    [accountId, revision],
  )
  await advanceRevision(query, removed.length)
}

/**
 * What was done, when and by which id stays in the audit log. JSON's null has nothing to remove.
 */
async function removeNames(query: Query, accountId: string): Promise<void> {
  await query(
    `UPDATE audit SET actor = CASE WHEN account_id = $1 THEN $2 ELSE actor END,
       old = CASE WHEN old = 'null' THEN old ELSE (old::jsonb - '{name,email,user_agent}'::text[])::text END,
       new = CASE WHEN new = 'null' THEN new ELSE (new::jsonb - '{name,email,user_agent}'::text[])::text END
     WHERE account_id = $1 OR subject = $1`,
    [accountId, DELETED_ACCOUNT_NAME],
  )
}

/** Mailed links to a new key, unless another account has the address. */
async function removeRecoveries(query: Query, { email, email_key: key }: FoundAccount): Promise<void> {
  if (key === null) return
  await query(
    `DELETE FROM signups WHERE purpose = 'recovery' AND (email = $1 OR lower(email) = $2)
       AND NOT EXISTS (SELECT 1 FROM accounts WHERE email_key = $2)`,
    [email, key],
  )
}
