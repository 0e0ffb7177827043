import { accounts } from './accounts.ts'
import { type Database, MEMORY, openForReading, openForWriting } from './database.ts'
import { deliveries } from './deliveries.ts'
import { events } from './events.ts'
import { fanOut } from './fan-out.ts'
import { prepareFile } from './file.ts'
import { idempotency } from './idempotency.ts'
import { imports } from './imports.ts'
import { incidents } from './incidents.ts'
import { keys } from './keys.ts'
import { marks } from './marks.ts'
import { migrate, refuseNewer } from './migrate.ts'
import { owners } from './owners.ts'
import { publishers } from './publishers.ts'
import { signups } from './signups.ts'
import { snapshots } from './snapshot.ts'
import { usage } from './usage.ts'
import { watches } from './watches.ts'

export interface DatabaseFile {
  readonly path: string
  /** How long a write waits for another process's, in milliseconds. */
  readonly busyTimeout: number
}

export type Nouns = ReturnType<typeof nounsOf>

/** Everything the worker can be asked for. */
export function nounsOf(database: Database, { path, busyTimeout }: DatabaseFile) {
  return {
    accounts: accounts(database),
    deliveries: deliveries(database),
    events: events(database),
    fanOut: fanOut(database),
    idempotency: idempotency(database),
    imports: imports(database),
    incidents: incidents(database),
    keys: keys(database),
    owners: owners(database),
    publishers: publishers(database),
    marks: marks(database),
    signups: signups(database),
    snapshots: snapshots(database, path, busyTimeout),
    usage: usage(database),
    watches: watches(database),
  }
}

/** What cannot be used is refused before anything is written to it. */
export function openDatabase({ path, busyTimeout }: DatabaseFile): Database {
  if (path !== MEMORY) {
    prepareFile(path)
    using reading = openForReading(path, busyTimeout)
    refuseNewer(reading)
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
