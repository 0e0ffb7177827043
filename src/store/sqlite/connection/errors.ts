import { StaleVersion, StoreFull, StoreUnavailable, StoreUnusable } from '../../store.ts'
import { RESTORE } from './file.ts'

/** SQLite's primary result codes that are the world's doing, not ours. Reopening gets rid of a file handle gone stale. */
const RESULTS: Record<number, { name: string; is: 'unavailable' | 'full' | 'unusable'; reopen?: true }> = {
  5: { name: 'SQLITE_BUSY', is: 'unavailable' },
  6: { name: 'SQLITE_LOCKED', is: 'unavailable' },
  7: { name: 'SQLITE_NOMEM', is: 'unavailable' },
  8: { name: 'SQLITE_READONLY', is: 'unavailable', reopen: true },
  10: { name: 'SQLITE_IOERR', is: 'unavailable', reopen: true },
  11: { name: 'SQLITE_CORRUPT', is: 'unusable' },
  13: { name: 'SQLITE_FULL', is: 'full' },
  14: { name: 'SQLITE_CANTOPEN', is: 'unavailable', reopen: true },
  15: { name: 'SQLITE_PROTOCOL', is: 'unavailable', reopen: true },
  26: { name: 'SQLITE_NOTADB', is: 'unusable' },
  // The index of the write-ahead log could not grow. Reopening would want room for a new one, and take reading away as well.
  [10 | (19 << 8)]: { name: 'SQLITE_IOERR_SHMSIZE', is: 'full' },
}

function resultOf(error: unknown) {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
  // The upper bytes say more (SQLITE_IOERR_WRITE), the lowest is the primary code.
  return RESULTS[code] ?? RESULTS[code & 0xff]
}

export function isBusy(error: unknown): boolean {
  return resultOf(error)?.name === 'SQLITE_BUSY'
}

/** Whether the disk is full, or the quota used up, whoever says so. */
export function isNoRoom(error: unknown): boolean {
  if (resultOf(error)?.is === 'full') return true
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

export function asksToReopen(error: unknown): boolean {
  return resultOf(error)?.reopen ?? false
}

/** The error as a caller of the store knows it. A programming error stays what it is. */
export function mapped(error: unknown): unknown {
  const result = resultOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (result?.is === 'unusable') {
    return new StoreUnusable(`The database file is damaged (${result.name}: ${message}); ${RESTORE}`, { cause: error })
  }
  if (result?.is === 'full') return new StoreFull(`${result.name}: ${message}`, { cause: error })
  if (result !== undefined) return new StoreUnavailable(`${result.name}: ${message}`, { cause: error })
  // Making or reaching the file or its folder failed.
  if (error instanceof Error && 'syscall' in error) return new StoreUnavailable(message, { cause: error })
  return error
}

/** An error on its way between threads: a clone would lose its class. */
export interface Failure {
  readonly name: string
  readonly message: string
  readonly incidentId: string | null
  readonly cause: unknown
}

export function failureOf(thrown: unknown): Failure {
  const error = mapped(thrown)
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), incidentId: null, cause: null }
  const incidentId = error instanceof StaleVersion ? error.incidentId : null
  return { name: error.name, message: error.message, incidentId, cause: error.cause ?? error }
}

export function errorOf({ name, message, incidentId, cause }: Failure): Error {
  if (incidentId !== null) return new StaleVersion(incidentId)
  if (name === 'StoreFull') return new StoreFull(message, { cause })
  if (name === 'StoreUnavailable') return new StoreUnavailable(message, { cause })
  if (name === 'StoreUnusable') return new StoreUnusable(message, { cause })
  if (name === 'TypeError') return new TypeError(message, { cause })
  return new Error(message, { cause })
}
