import pg from 'pg'
import { StoreBusy, StoreFull, StoreUnavailable, StoreUnusable } from '../store.ts'

/** SQLSTATE codes, or their first two characters, of failures outside this program. */
const STATES: Record<string, 'unavailable' | 'full' | 'unusable'> = {
  '08': 'unavailable', // connection exception
  '0A000': 'unavailable', // an unlogged table on a standby: the only unsupported feature in use
  '25006': 'unavailable', // read-only: a standby, until it is promoted
  '25P03': 'unavailable', // silent for too long inside a transaction: this node was frozen or cut off
  '25P04': 'unavailable', // the transaction took too long
  '28': 'unavailable', // password changed while running; for opening, see below
  '3D000': 'unavailable', // database dropped or renamed
  '40': 'unavailable', // rolled back because of another transaction: serialisation, deadlock
  '53': 'unavailable', // out of memory, too many connections
  '53100': 'full',
  '55P03': 'unavailable', // lock not available in time
  '57': 'unavailable', // shut down, starting up, statement timeout
  '58': 'unavailable', // I/O error
  XX001: 'unusable', // damaged data
  XX002: 'unusable', // damaged index
}

const TOO_MANY_CONNECTIONS = '53300'

/** The server, its pooler or the role has no connection left for this node. */
export class TooManyConnections extends StoreBusy {}

/** Unknown or ambiguous names and wrong types; an empty or refused value of a column. */
const SCHEMA_ERRORS = /^(42|23502|23514)/

export function mayComeOfSchema(error: unknown): boolean {
  return error instanceof pg.DatabaseError && SCHEMA_ERRORS.test(error.code ?? '')
}

/** Codes that retrying cannot fix when opening: an operator has to change a setting. */
const WRONG_SETTINGS = /^(28|3D000|42501)/

/** `pg` has no codes for a lost connection, only messages. */
const CONNECTION_LOST =
  /^(Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/

/** Converts an error to one that callers of the store know, except programming errors. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? ''
    const is = STATES[code] ?? STATES[code.slice(0, 2)]
    if (code === TOO_MANY_CONNECTIONS) return new TooManyConnections(`PostgreSQL: ${error.message}`, { cause: error })
    if (is === 'unavailable') return new StoreUnavailable(`PostgreSQL: ${error.message} (${code})`, { cause: error })
    if (is === 'full') return new StoreFull(`PostgreSQL: ${error.message} (${code})`, { cause: error })
    if (is === 'unusable') return new StoreUnusable(`PostgreSQL: ${error.message} (${code})`, { cause: error })
    return error
  }
  if (!('syscall' in error || isNetworkError(error) || CONNECTION_LOST.test(error.message))) return error
  return new StoreUnavailable(`PostgreSQL cannot be reached: ${messageOf(error)}`, { cause: error })
}

export async function withStoreErrors<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (error) {
    throw toStoreError(error)
  }
}

const STATEMENT_POOLING = /statement pooling mode/

/** Like `toStoreError`, for opening: an error that an operator has to fix is `StoreUnusable`. */
export function toOpeningError(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && WRONG_SETTINGS.test(error.code ?? '')) {
    return new StoreUnusable(
      `DATABASE_URL: PostgreSQL refuses it: ${error.message} (${error.code}); correct its user, password or database, or grant the right on the server`,
      { cause: error },
    )
  }
  if (error instanceof pg.DatabaseError && STATEMENT_POOLING.test(error.message))
    return new StoreUnusable(
      `DATABASE_URL leads to PgBouncer with pool_mode = statement, and the service needs transactions: set pool_mode = session or transaction (${error.message})`,
      { cause: error },
    )
  return toStoreError(error)
}

function isNetworkError(error: Error): boolean {
  return (
    'code' in error &&
    typeof error.code === 'string' &&
    /^(ECONN|EPIPE|ETIMEDOUT|EAI_|ENOTFOUND|EHOST|ENET)/.test(error.code)
  )
}

/** A host with several addresses fails with an AggregateError, which has no message. */
function messageOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map((each: Error) => each.message).join(', ') : error.message
}
