import type pg from 'pg'

/** Limits that the server enforces on one session, in milliseconds; 0 is no limit. */
export interface SessionLimits {
  /** Longest statement, waiting for locks included. */
  readonly statement: number
  /** Longest wait for one lock. */
  readonly lock: number
  /** A session that stays silent for longer inside a transaction is ended and rolled back. */
  readonly idleInTransaction: number
  /** Longest transaction. PostgreSQL 17 and later; earlier servers have no such limit. */
  readonly transaction: number
}

const STATEMENT_MS = 5_000
const IDLE_IN_TRANSACTION_MS = 5_000

/**
 * A frozen or partitioned node holds its locks until the server ends its session. Every write locks
 * the head of the log, so these limits decide how long such a node stops the others.
 */
export function sessionLimits(statement = STATEMENT_MS): SessionLimits {
  const idleInTransaction = Math.max(IDLE_IN_TRANSACTION_MS, statement)
  return { statement, lock: Math.round(0.8 * statement), idleInTransaction, transaction: 3 * idleInTransaction }
}

/** For migrations, snapshots and single commands, which may touch every row. */
export const LONG_LIMITS: SessionLimits = {
  statement: 600_000,
  lock: 15_000,
  idleInTransaction: 60_000,
  transaction: 0,
}

/** After this long without an answer of the client's machine, the server drops the connection. */
const TCP_SETTINGS: Readonly<Record<string, string>> = {
  tcp_user_timeout: '15000',
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '3',
  tcp_keepalives_count: '3',
}

/** The settings of `pg` that are sent when the connection is opened. */
export function startupLimits({ statement, lock, idleInTransaction }: SessionLimits) {
  return {
    statement_timeout: statement,
    lock_timeout: lock,
    idle_in_transaction_session_timeout: idleInTransaction,
  }
}

/**
 * Sets what cannot be sent when opening: `pg` has no option for the TCP settings, and an unknown
 * setting would refuse the connection to an earlier server.
 */
export async function limitSession(client: pg.ClientBase, { transaction }: SessionLimits): Promise<void> {
  const settings = { ...TCP_SETTINGS, transaction_timeout: String(transaction) }
  await client.query(
    `SELECT set_config(name, value, false)
     FROM unnest($1::text[], $2::text[]) AS wanted (name, value)
     WHERE EXISTS (SELECT 1 FROM pg_settings WHERE pg_settings.name = wanted.name)`,
    [Object.keys(settings), Object.values(settings)],
  )
}

/** The statement that replaces the limits of the running transaction. */
export function transactionLimits(limits: SessionLimits): string {
  const settings = { ...startupLimits(limits), transaction_timeout: limits.transaction }
  const values = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`)
  return `
    SELECT set_config(name, value, true)
    FROM (VALUES ${values.join(', ')}) AS wanted (name, value)
    WHERE EXISTS (SELECT 1 FROM pg_settings WHERE pg_settings.name = wanted.name)`
}
