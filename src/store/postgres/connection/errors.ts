import pg from 'pg'
import { StoreFull, StoreUnavailable, StoreUnusable } from '../../store.ts'

/** SQLSTATE codes, or their first two characters, that are the world's doing, not ours. */
const STATES: Record<string, 'unavailable' | 'full' | 'unusable'> = {
  '08': 'unavailable', // connection exception
  '0A000': 'unavailable', // an unlogged table on a standby; nothing else that is asked here is unsupported anywhere
  '25006': 'unavailable', // read-only: a standby, until it is promoted
  '28': 'unavailable', // password changed under way; when opening, see below
  '3D000': 'unavailable', // database dropped or renamed
  '40': 'unavailable', // rolled back for another's sake: serialisation, deadlock
  '53': 'unavailable', // out of memory, too many connections
  '53100': 'full',
  '55P03': 'unavailable', // lock not available in time
  '57': 'unavailable', // shut down, starting up, statement timeout
  '58': 'unavailable', // I/O error
  XX001: 'unusable', // damaged data
  XX002: 'unusable', // damaged index
}

/** What will not go away by trying again when opening: somebody has to change a setting. */
const SETTINGS = /^(28|3D000|42501)/

/** How `pg` says that the connection is gone: it has no codes for it. */
const GONE =
  /^(Connection terminated|Query read timeout|timeout expired|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed)/

/** The error as a caller of the store knows it. A programming error stays what it is. */
export function mapped(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? ''
    const is = STATES[code] ?? STATES[code.slice(0, 2)]
    if (is === 'unavailable') return new StoreUnavailable(`PostgreSQL: ${error.message} (${code})`, { cause: error })
    if (is === 'full') return new StoreFull(`PostgreSQL: ${error.message} (${code})`, { cause: error })
    if (is === 'unusable') return new StoreUnusable(`PostgreSQL: ${error.message} (${code})`, { cause: error })
    return error
  }
  if (!('syscall' in error || isNetworkError(error) || GONE.test(error.message))) return error
  return new StoreUnavailable(`PostgreSQL cannot be reached: ${messageOf(error)}`, { cause: error })
}

/** For opening, where everything but an absence is for somebody to put right. */
export function mappedAtOpening(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && SETTINGS.test(error.code ?? '')) {
    return new StoreUnusable(`PostgreSQL: ${error.message} (${error.code})`, { cause: error })
  }
  return mapped(error)
}

function isNetworkError(error: Error): boolean {
  return (
    'code' in error &&
    typeof error.code === 'string' &&
    /^(ECONN|EPIPE|ETIMEDOUT|EAI_|ENOTFOUND|EHOST|ENET)/.test(error.code)
  )
}

/** A name with several addresses fails with one error for each, and no message of its own. */
function messageOf(error: Error): string {
  return error instanceof AggregateError ? error.errors.map((each: Error) => each.message).join(', ') : error.message
}
