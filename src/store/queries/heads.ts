import { AccountDeleted, type LogHead } from '../store.ts'
import { HEAD_LINK } from './chain.ts'
import { ALSO_NOTIFY, FOR_UPDATE, NOTE_DUE } from './dialect.ts'
import { first, only, onPostgres, type Query, rows, run, sql } from './query.ts'

// Locks and counters. Every writer on PostgreSQL takes them in the same order, so that no two wait
// for each other: the log's head, the watches' head, the account, then rows by id.

export function logHead(): Query<LogHead> {
  return only(sql`SELECT seq, at, ${HEAD_LINK} FROM log_head`)
}

/** Locked until the transaction ends: later events get their numbers once this is visible. */
export function lockedLogHead(): Query<Omit<LogHead, 'link'>> {
  return only(sql`SELECT seq, at FROM log_head ${FOR_UPDATE}`)
}

/** Locked until the transaction ends: the next revision is assigned after this is visible. */
export function lockWatchHead(): Query<void> {
  return onPostgres(sql`SELECT FROM watch_head FOR UPDATE`)
}

/** Locked until the transaction ends: nobody else writes the desk's queue. */
export function lockDeskHead(): Query<void> {
  return onPostgres(sql`SELECT FROM desk_head FOR UPDATE`)
}

// These read before they write: RETURNING takes SQLite longer than two statements.

/** The revision of the last of so many changes to watches. Locks the watches' head. */
export function* nextWatchRevision(changes = 1): Query<number> {
  const head = yield* only<{ revision: number }>(sql`SELECT revision FROM watch_head ${FOR_UPDATE}`)
  const revision = head.revision + changes
  yield* run(sql`UPDATE watch_head SET revision = ${revision} ${ALSO_NOTIFY.watches}`)
  return revision
}

/** The revision of the last of so many changes at the desk. Locks the desk's head. */
export function* nextDeskRevision(changes = 1): Query<number> {
  const head = yield* only<{ revision: number }>(sql`SELECT revision FROM desk_head ${FOR_UPDATE}`)
  const revision = head.revision + changes
  yield* run(sql`UPDATE desk_head SET revision = ${revision} ${ALSO_NOTIFY.desk}`)
  return revision
}

/** Makes other processes look for due deliveries. */
export function noteDue(): Query<number> {
  return run(sql`${NOTE_DUE}`)
}

/** Makes changes to what an account has wait for each other: it is counted and named. */
export function lockAccount(accountId: string): Query<void> {
  return onPostgres(sql`SELECT id FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE`)
}

/**
 * Throws `AccountDeleted`. The caller holds the lock of the account or of the watches' head, for
 * which a deletion waits.
 */
export function* requireOpen(accountId: string): Query<void> {
  const account = yield* first<{ status: string }>(sql`SELECT status FROM accounts WHERE id = ${accountId}`)
  if (account?.status === 'deleted') throw new AccountDeleted()
}

export function* isBlocked(accountId: string): Query<boolean> {
  const found = yield* rows(sql`SELECT 1 FROM accounts WHERE id = ${accountId} AND status = 'blocked'`)
  return found.length > 0
}
