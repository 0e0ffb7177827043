import {
  AccountDeleted,
  ClaimLost,
  NewerSchema,
  StaleVersion,
  StoreFull,
  StoreUnavailable,
  StoreUnusable,
} from '../store.ts'

/** Repair advice at the end of errors about a damaged store. */
export const RESTORE_ADVICE = 'put a backup in its place with: incident-feed restore <backup> --force'

/** SQLite's result codes for failures outside this program; `reopen`: the handle is invalid. */
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
  // The log's index could not grow. Reopening needs space for a new one; reads would fail too.
  [10 | (19 << 8)]: { name: 'SQLITE_IOERR_SHMSIZE', is: 'full' },
}

function resultOf(error: unknown) {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
  // The lowest byte is the primary code; the upper ones are details (SQLITE_IOERR_WRITE).
  return RESULTS[code] ?? RESULTS[code & 0xff]
}

/** SQLITE_ERROR, as of an unknown name; SQLITE_CONSTRAINT_NOTNULL and _CHECK. */
const SCHEMA_ERRORS: ReadonlySet<unknown> = new Set([1, 1299, 275])

export function mayComeOfSchema(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && SCHEMA_ERRORS.has(error.errcode)
}

export function isBusy(error: unknown): boolean {
  return resultOf(error)?.name === 'SQLITE_BUSY'
}

/** True if the disk is full or the disk quota is used up, as SQLite or the system reports it. */
export function isDiskFull(error: unknown): boolean {
  if (resultOf(error)?.is === 'full') return true
  return error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT')
}

export function needsReopen(error: unknown): boolean {
  return resultOf(error)?.reopen ?? false
}

/** Converts an error to one that callers of the store know, except programming errors. */
export function toStoreError(error: unknown): unknown {
  const result = resultOf(error)
  const message = error instanceof Error ? error.message : String(error)
  if (result?.is === 'unusable') {
    return new StoreUnusable(`The database file is damaged (${result.name}: ${message}); ${RESTORE_ADVICE}`, {
      cause: error,
    })
  }
  if (isDiskFull(error))
    return new StoreFull(
      `The disk of the database is full (${result === undefined ? '' : `${result.name}: `}${message}); free some space, or name a larger disk in DATABASE_URL`,
      { cause: error },
    )
  if (result !== undefined) return new StoreUnavailable(`${result.name}: ${message}`, { cause: error })
  // The file or its folder could not be created or opened.
  if (error instanceof Error && 'syscall' in error) return new StoreUnavailable(message, { cause: error })
  return error
}

/** An error as it passes between threads: a structured clone would lose its class. */
export interface SerializedError {
  readonly name: string
  readonly message: string
  readonly incidentId: string | null
  readonly cause: unknown
}

export function serializeError(thrown: unknown): SerializedError {
  const error = toStoreError(thrown)
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), incidentId: null, cause: null }
  const incidentId = error instanceof StaleVersion ? error.incidentId : null
  return { name: error.name, message: error.message, incidentId, cause: error.cause ?? error }
}

export function deserializeError({ name, message, incidentId, cause }: SerializedError): Error {
  if (incidentId !== null) return new StaleVersion(incidentId)
  if (name === 'ClaimLost') return new ClaimLost()
  if (name === 'AccountDeleted') return new AccountDeleted()
  if (name === 'StoreFull') return new StoreFull(message, { cause })
  if (name === 'StoreUnavailable') return new StoreUnavailable(message, { cause })
  if (name === 'NewerSchema') return new NewerSchema(message, { cause })
  if (name === 'StoreUnusable') return new StoreUnusable(message, { cause })
  if (name === 'TypeError') return new TypeError(message, { cause })
  return new Error(message, { cause })
}
