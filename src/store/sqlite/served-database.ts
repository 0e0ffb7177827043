import { statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { MEMORY } from '../files.ts'
import { explainedBySchema } from '../migrations.ts'
import { storeAttached } from '../queries/idempotency.ts'
import { queries } from '../queries/queries.ts'
import type { Query } from '../queries/query.ts'
import {
  type AttemptResult,
  type FanOutChunk,
  type NewDelivery,
  type NotificationTopic,
  type SecretsReplacement,
  StoreFull,
  StoreUnavailable,
} from '../store.ts'
import type { DatabaseFile, WorkerReply, WorkerRequest } from './connection.ts'
import { type Database, openForReading, openForWriting } from './database.ts'
import { prepareFile } from './database-file.ts'
import { mayComeOfSchema, needsReopen, serializeError } from './errors.ts'
import { addDeliveries, writeChunk } from './fan-out.ts'
import { leasing } from './lease.ts'
import { MIGRATIONS, migrate, refuseNewer, refuseUnfinishedCopy, schemaOf } from './migrate.ts'
import { recordAttempts } from './record-attempts.ts'
import { snapshots } from './snapshot.ts'

/** The database of the worker thread. */
export class ServedDatabase implements Disposable {
  readonly #file: DatabaseFile
  readonly #openFile: (file: DatabaseFile) => Database
  #open: { database: Database; tables: Tables } | null = null

  constructor(file: DatabaseFile, openFile = openDatabase) {
    this.#file = file
    this.#openFile = openFile
  }

  /** Opens the database on the first request and after a failure, so that it recovers. */
  replyTo(request: WorkerRequest): { reply: WorkerReply; transfer: ArrayBuffer[] } {
    const { id } = request
    try {
      this.#open ??= this.#opened()
      const { database, tables } = this.#open
      database.hasNotified = false
      const { value, receiptStored } = run(request, database, tables)
      return { reply: { id, value, receiptStored, hasNotified: database.hasNotified }, transfer: buffersOf(value) }
    } catch (error) {
      if (needsReopen(error) && this.#file.path !== MEMORY) this[Symbol.dispose]()
      return { reply: { id, error: serializeError(this.#explained(error)) }, transfer: [] }
    }
  }

  /** A statement that fails may do so because a newer build has migrated the database. */
  #explained(error: unknown): unknown {
    if (this.#open === null || !mayComeOfSchema(error)) return error
    return explainedBySchema(error, MIGRATIONS, schemaOf(this.#open.database))
  }

  #opened() {
    const database = this.#openFile(this.#file)
    return { database, tables: tablesOf(database, this.#file) }
  }

  [Symbol.dispose](): void {
    this.#open?.tables.snapshots.closeAll()
    this.#open?.database[Symbol.dispose]()
    this.#open = null
  }
}

function run({ table, method, values, attached }: WorkerRequest, database: Database, tables: Tables) {
  const methods = tables[table as keyof Tables] as unknown as Record<string, (...values: readonly unknown[]) => unknown>
  if (attached === undefined) return { value: methods[method]!(...values), receiptStored: false }
  return database.transaction(() => {
    const value = methods[method]!(...values)
    return { value, receiptStored: database.perform(storeAttached(attached, value)) }
  })
}

/** Transfers a chunk's buffers to the main thread without copying them. */
function buffersOf(value: unknown): ArrayBuffer[] {
  if (typeof value !== 'object' || value === null || !('bytes' in value && 'ends' in value)) return []
  return [(value.bytes as Uint8Array<ArrayBuffer>).buffer, (value.ends as Uint32Array<ArrayBuffer>).buffer]
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

/** One number per topic, which grows with every change, of other processes too. */
export type ChangeCounters = Record<NotificationTopic, number>

const COUNTERS = `
  SELECT (SELECT seq FROM log_head) AS events,
         (SELECT revision FROM watch_head) AS watches,
         (SELECT made_due FROM fan_out) AS deliveries,
         (SELECT revision FROM desk_head) AS desk,
         (SELECT revision FROM gazetteer_head) AS gazetteer`

export type Tables = ReturnType<typeof tablesOf>

/** All methods that the main thread can call in the worker. */
export function tablesOf(database: Database, { path, busyTimeout }: DatabaseFile) {
  const parts = performing(database)
  return {
    ...parts,
    changeCounters: { read: () => database.get<ChangeCounters>(COUNTERS)! },
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

/**
 * An overwritten row stays in unused parts of pages, in free pages and in the write-ahead log.
 * `secure_delete` reaches only what is deleted while it is on, and no copies that the balancing of
 * a tree leaves behind: rebuilding the file reaches all of it.
 */
function eraseOverwritten(database: Database, path: string): void {
  // It has no file, and ends with its process.
  if (path === MEMORY) return
  requireRoom(path)
  database.script('VACUUM')
  const result = database.get<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')
  // A snapshot or a backup reads the old log; it ends, and the caller tries again.
  if (result?.busy === 1) throw new StoreUnavailable('The write-ahead log is being read and cannot be emptied yet')
}

/** The log takes the whole rebuilt file: without room for it, each try would fill the disk. */
function requireRoom(path: string): void {
  const { size } = statSync(path)
  const { bavail, bsize } = statfsSync(dirname(path))
  if (bavail * bsize < size)
    throw new StoreFull(
      `Erasing redacted content needs ${size} free bytes beside ${path}, and there are ${bavail * bsize}`,
    )
}
