import { existsSync } from 'node:fs'
import { BackupRefused } from '../../backup/contents.ts'
import { type LogHead, StoreUnusable } from '../../store.ts'
import { type Database, openExclusively, openForReading } from '../connection/database.ts'
import { damageOf, sizeOf } from '../connection/database-file.ts'
import { isBusy, toStoreError } from '../connection/errors.ts'
import { headOf } from '../incidents/events.ts'
import { versionOf } from '../migrate.ts'
import { countsOf } from './contents.ts'

/** A store to be replaced. No service can open it until this is disposed. */
export interface ExclusiveLock extends Disposable {
  readonly hasContent: boolean
  /** Null if it cannot be read. */
  readonly head: LogHead | null
}

/** A damaged store: it cannot be locked, nor asked whether a service has it open. */
const UNREADABLE: ExclusiveLock = { hasContent: true, head: null, [Symbol.dispose]() {} }

/** Returns null if there is no store. Refuses if a service is using it. */
export function lockExclusively(path: string): ExclusiveLock | null {
  if (!existsSync(path)) return sizeOf(`${path}-wal`) > 0 ? UNREADABLE : null
  if (damageOf(path) !== null) return UNREADABLE
  try {
    const { hasContent, head } = readContents(path)
    const lock = openExclusively(path)
    return { hasContent, head, [Symbol.dispose]: () => lock[Symbol.dispose]() }
  } catch (error) {
    if (isBusy(error)) throw new BackupRefused(`A service is using ${path}: stop it first`, { cause: error })
    const known = toStoreError(error)
    if (known instanceof StoreUnusable) return UNREADABLE
    throw known
  }
}

function readContents(path: string): Pick<ExclusiveLock, 'hasContent' | 'head'> {
  using database: Database = openForReading(path, 0)
  const version = versionOf(database)
  if (version === 0) return { hasContent: database.get('SELECT 1 FROM sqlite_schema') !== undefined, head: null }
  const { incidents, events, watches } = countsOf(database, version)
  return { hasContent: incidents + events + watches > 0, head: headOf(database) }
}
