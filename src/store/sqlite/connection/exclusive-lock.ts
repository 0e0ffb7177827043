import { existsSync } from 'node:fs'
import { BackupRefused } from '../../backup-contents.ts'
import { type LogHead, StoreUnusable } from '../../store.ts'
import { countsOf } from '../backup/contents.ts'
import { headOf } from '../incidents/events.ts'
import { versionOf } from '../migrate.ts'
import { type Database, openForReading, openToHold } from './database.ts'
import { isBusy, mapped } from './errors.ts'
import { damageOf, sizeOf } from './file.ts'

/** The store in whose place another is to be put. Until it is let go, no service can open it. */
export interface Held extends Disposable {
  readonly hasContent: boolean
  /** Null where it cannot be read. */
  readonly head: LogHead | null
}

/** For one that is damaged: it cannot be asked whether a service has it open. */
const UNREADABLE: Held = { hasContent: true, head: null, [Symbol.dispose]() {} }

/** Null where there is nothing. Refuses where a service is using it. */
export function hold(path: string): Held | null {
  if (!existsSync(path)) return sizeOf(`${path}-wal`) > 0 ? UNREADABLE : null
  if (damageOf(path) !== null) return UNREADABLE
  try {
    const { hasContent, head } = lookAt(path)
    const lock = openToHold(path)
    return { hasContent, head, [Symbol.dispose]: () => lock[Symbol.dispose]() }
  } catch (error) {
    if (isBusy(error)) throw new BackupRefused(`A service is using ${path}: stop it first`, { cause: error })
    const known = mapped(error)
    if (known instanceof StoreUnusable) return UNREADABLE
    throw known
  }
}

function lookAt(path: string): Pick<Held, 'hasContent' | 'head'> {
  using database: Database = openForReading(path, 0)
  const version = versionOf(database)
  if (version === 0) return { hasContent: database.get('SELECT 1 FROM sqlite_schema') !== undefined, head: null }
  const { incidents, events, watches } = countsOf(database, version)
  return { hasContent: incidents + events + watches > 0, head: headOf(database) }
}
