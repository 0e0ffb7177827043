import { AccountDeleted, type LogHead } from '../store.ts'
import { alsoNotify } from './dialect.ts'
import { onPostgres, type Query, rows, sql } from './query.ts'

// Locks and counters. Every writer on PostgreSQL takes them in the same order, so that no two wait
// for each other: the log's head, the watches' head, the account, then rows by id.

export function* logHead(): Query<LogHead> {
  const [head] = yield* rows<LogHead>(sql`SELECT seq, at FROM log_head`)
  return head!
}

/** Locked until the transaction ends: later events get their numbers once this is visible. */
export function lockLogHead(): Query<void> {
  return onPostgres(sql`SELECT FROM log_head FOR UPDATE`)
}

/** Locked until the transaction ends: the next revision is assigned after this is visible. */
export function lockWatchHead(): Query<void> {
  return onPostgres(sql`SELECT FROM watch_head FOR UPDATE`)
}

/** The revision of the last of so many changes to watches. */
export function* nextWatchRevision(changes = 1): Query<number> {
  const [head] = yield* rows<{ revision: number }>(
    sql`UPDATE watch_head SET revision = revision + ${changes} RETURNING revision ${alsoNotify('watches')}`,
  )
  return head!.revision
}

/** What an account has is counted and named one change at a time. */
export function lockAccount(accountId: string): Query<void> {
  return onPostgres(sql`SELECT id FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`)
}

/**
 * Throws `AccountDeleted`. The caller holds the lock of the account or of the watches' head, for
 * which a deletion waits.
 */
export function* requireOpen(accountId: string): Query<void> {
  const [account] = yield* rows<{ status: string }>(sql`SELECT status FROM accounts WHERE id = ${accountId}`)
  if (account?.status === 'deleted') throw new AccountDeleted()
}

export function* isBlocked(accountId: string): Query<boolean> {
  const found = yield* rows(sql`SELECT 1 FROM accounts WHERE id = ${accountId} AND status = 'blocked'`)
  return found.length > 0
}
