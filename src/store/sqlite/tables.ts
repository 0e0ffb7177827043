import { queries } from '../queries/queries.ts'
import type { Query } from '../queries/query.ts'
import type { SecretsReplacement } from '../store.ts'
import { backups } from './backup/backups.ts'
import { changeCounters } from './change-counters.ts'
import { type Database, MEMORY, openForReading, openForWriting } from './database.ts'
import { prepareFile } from './database-file.ts'
import { deliveries } from './deliveries/deliveries.ts'
import { fanOut } from './deliveries/fan-out.ts'
import { listening } from './deliveries/listening.ts'
import { owners } from './deliveries/owners.ts'
import { eraseOverwritten } from './erase.ts'
import { migrate, refuseNewer, refuseUnfinishedCopy } from './migrate.ts'
import { snapshots } from './snapshot.ts'
import { alerts } from './watches/alerts.ts'
import { push } from './watches/push.ts'

export interface DatabaseFile {
  readonly path: string
  /** Milliseconds a write waits for a write of another process. */
  readonly busyTimeout: number
}

export type Tables = ReturnType<typeof tablesOf>

/** All methods that the main thread can call in the worker. */
export function tablesOf(database: Database, { path, busyTimeout }: DatabaseFile) {
  return {
    accounts: performing(database, queries.accounts),
    areas: performing(database, queries.areas),
    alerts: alerts(database),
    siteLists: performing(database, queries.siteLists),
    audit: performing(database, queries.audit),
    backups: backups(database),
    challenges: performing(database, queries.challenges),
    changeCounters: changeCounters(database),
    deliveries: deliveries(database),
    desk: performing(database, queries.desk),
    events: performing(database, queries.events),
    fanOut: fanOut(database),
    gazetteer: performing(database, queries.gazetteer),
    idempotency: performing(database, queries.idempotency),
    imports: performing(database, queries.imports),
    incidents: performing(database, queries.incidents),
    keys: performing(database, queries.keys),
    listening: listening(database),
    mails: performing(database, queries.mails),
    owners: owners(database),
    passkeys: performing(database, queries.passkeys),
    publishers: performing(database, queries.publishers),
    push: push(database),
    sessions: performing(database, queries.sessions),
    signInLinks: performing(database, queries.signInLinks),
    redactions: { ...performing(database, queries.redactions), erase: () => eraseOverwritten(database, path) },
    signups: performing(database, queries.signups),
    sources: performing(database, queries.sources),
    snapshots: snapshots(database, path, busyTimeout),
    tips: performing(database, queries.tips),
    usage: performing(database, queries.usage),
    watches: {
      ...performing(database, queries.watches),
      replaceSecrets: (changes: readonly SecretsReplacement[]) =>
        erasingTraces(database, () => database.perform(queries.watches.replaceSecrets(changes))),
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

/** The queries of a part as methods of this database. */
function performing<Part extends object>(database: Database, part: Part): Performing<Part> {
  const bound = Object.entries(part as Record<string, (...values: unknown[]) => Query<unknown>>).map(
    ([method, query]) => [method, (...values: unknown[]) => database.perform(query(...values))],
  )
  return Object.fromEntries(bound) as Performing<Part>
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
