import { MEMORY } from '../files.ts'
import { queries } from '../queries/queries.ts'
import type { Query } from '../queries/query.ts'
import type { AttemptResult, FanOutChunk, NewDelivery, SecretsReplacement } from '../store.ts'
import { changeCounters } from './change-counters.ts'
import { type Database, openForReading, openForWriting } from './database.ts'
import { prepareFile } from './database-file.ts'
import { eraseOverwritten } from './erase.ts'
import { addDeliveries, writeChunk } from './fan-out.ts'
import { leasing } from './lease.ts'
import { migrate, refuseNewer, refuseUnfinishedCopy } from './migrate.ts'
import { recordAttempts } from './record-attempts.ts'
import { snapshots } from './snapshot.ts'

export interface DatabaseFile {
  readonly path: string
  /** Milliseconds a write waits for a write of another process. */
  readonly busyTimeout: number
}

export type Tables = ReturnType<typeof tablesOf>

/** All methods that the main thread can call in the worker. */
export function tablesOf(database: Database, { path, busyTimeout }: DatabaseFile) {
  const parts = performing(database)
  return {
    ...parts,
    changeCounters: changeCounters(database),
    deliveries: {
      ...parts.deliveries,
      ...leasing(database),
      recordAttempts: (owner: string, results: readonly AttemptResult[], now: number) =>
        database.transaction(() => recordAttempts(database, owner, results, now)),
      add: (deliveries: readonly NewDelivery[], now: number) => addDeliveries(database, deliveries, now),
    },
    fanOut: {
      ...parts.fanOut,
      write: (owner: string, chunk: FanOutChunk, now: number, leaseUntil: number | null) =>
        writeChunk(database, owner, chunk, now, leaseUntil),
    },
    redactions: { ...parts.redactions, erase: () => eraseOverwritten(database, path) },
    snapshots: snapshots(database, path, busyTimeout),
    watches: {
      ...parts.watches,
      replaceSecrets: (changes: readonly SecretsReplacement[]) =>
        erasingTraces(database, () => parts.watches.replaceSecrets(changes)),
    },
  }
}

/** Overwrites replaced bytes in the file, and takes them out of the write-ahead log. */
function erasingTraces<Result>(database: Database, write: () => Result): Result {
  database.script('PRAGMA secure_delete = ON')
  try {
    return write()
  } finally {
    database.script('PRAGMA wal_checkpoint(TRUNCATE)')
    database.script('PRAGMA secure_delete = OFF')
  }
}

type Performing<Part> = {
  readonly [Method in keyof Part]: Part[Method] extends (...values: infer Values) => Query<infer Result>
    ? (...values: Values) => Result
    : never
}

/** The queries of all parts as methods of this database. */
function performing(database: Database) {
  const methodsOf = (part: Record<string, (...values: unknown[]) => Query<unknown>>) =>
    Object.entries(part).map(([name, query]) => [name, (...values: unknown[]) => database.perform(query(...values))])
  const parts = Object.entries(queries).map(([name, part]) => [name, Object.fromEntries(methodsOf(part as never))])
  return Object.fromEntries(parts) as { readonly [Name in keyof typeof queries]: Performing<(typeof queries)[Name]> }
}

/** Refuses an unusable database before anything is written to it. */
export function openDatabase({ path, busyTimeout }: DatabaseFile): Database {
  if (path !== MEMORY) {
    prepareFile(path)
    using reading = openForReading(path, busyTimeout)
    refuseNewer(reading)
    refuseUnfinishedCopy(reading)
  }
  const database = openForWriting(path, busyTimeout)
  try {
    migrate(database)
    return database
  } catch (error) {
    database[Symbol.dispose]()
    throw error
  }
}
