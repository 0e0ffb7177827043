import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { link, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { pipeline } from 'node:stream/promises'
import { NOT_BACKED_UP } from '../copy/tables.ts'
import { MEMORY, OWNER_ONLY, OWNER_ONLY_FOLDER, snapshotFolderOf, writeAtomically } from '../files.ts'
import { chain } from '../queries/chain.ts'
import { type BackupContents, BackupRefused, type RestoreResult, StoreUnusable } from '../store.ts'
import { Database, openExclusively, openForReading, openForWriting, openImmutable } from './database.ts'
import { damageOf, sizeOf } from './database-file.ts'
import { isBusy, isDiskFull, toStoreError } from './errors.ts'
import { hasTable, migrate, refuseNewer, versionOf } from './migrate.ts'

/** 8 MB; the process can be interrupted between steps. */
const PAGES_PER_STEP = 2048
const BUSY_TIMEOUT_MS = 10_000

/**
 * Copies the store as of one moment while a service writes to it. Unlike `VACUUM INTO` it does not
 * rebuild the database, does not block a thread throughout, and can be interrupted.
 */
export async function backUpSqlite(path: string, to: string): Promise<BackupContents> {
  if (path === MEMORY)
    throw new BackupRefused('A database in memory ends with its process: there is nothing to back up')
  if (!existsSync(path)) throw new BackupRefused(`There is no database at ${path}; DATABASE_URL says where it is`)
  try {
    return await writeAtomically(to, async (part) => {
      await copyPages(path, part)
      finishCopy(part)
      return checkStoreFile(part, path)
    })
  } catch (error) {
    throw copyError(error, to)
  }
}

async function copyPages(path: string, part: string): Promise<void> {
  using source = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS })
  // The first read fixes the state to copy. Without a transaction, every write restarts the copy.
  source.exec('BEGIN')
  source.prepare('SELECT count(*) FROM sqlite_schema').get()
  await backup(source, part, { rate: PAGES_PER_STEP })
}

function copyError(error: unknown, path: string): unknown {
  if (!isDiskFull(error)) return toStoreError(error)
  return new BackupRefused(`There is no room for the copy at ${path}`, { cause: error })
}

/**
 * Makes the copy a single file, which can be moved, and read without write permission. It has no
 * sessions: restoring it must not sign anybody in again who has signed out.
 */
function finishCopy(part: string): void {
  using copy = new Database(new DatabaseSync(part))
  // secure_delete: the bytes go too, not only the rows.
  copy.script('PRAGMA journal_mode = DELETE; PRAGMA secure_delete = ON')
  for (const table of NOT_BACKED_UP) if (hasTable(copy, table)) copy.script(`DELETE FROM ${table}`)
}

const SIDE_FILES = ['-wal', '-shm', '-journal']

/** Replaces the store atomically. One with content needs `force` and is kept, renamed. */
export async function restoreSqlite(from: string, path: string, force: boolean, now: number): Promise<RestoreResult> {
  if (path === MEMORY) throw new BackupRefused('A database in memory always starts empty: name a file in DATABASE_URL')
  if (existsSync(path) && realpathSync(from) === realpathSync(path)) {
    throw new BackupRefused(`${from} is the database itself, not a backup of it`)
  }
  const contents = checkStoreFile(from)
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER })
  using lock = lockExclusively(path)
  if (lock?.hasContent && !force) throw new BackupRefused(refusal(path, lock))
  const kept = lock?.hasContent ? `${path}.replaced-${new Date(now).toISOString().replaceAll(':', '')}` : null
  try {
    await writeAtomically(
      path,
      async (part) => {
        // Not copyFile: it gives the copy the mode of the backup, which may be open to others.
        await pipeline(createReadStream(from), createWriteStream(part, { flags: 'r+' }))
        forkBehind(part, lock?.seq ?? null, now)
      },
      async (part) => {
        if (kept !== null) await keepReplaced(path, kept)
        // SQLite would apply the old store's log to the new one.
        for (const suffix of SIDE_FILES) rmSync(path + suffix, { force: true })
        // It would not be used, and has content of the replaced store.
        rmSync(snapshotFolderOf(path)!, { recursive: true, force: true })
        await rename(part, path)
      },
    )
  } catch (error) {
    throw copyError(error, path)
  }
  return { contents, kept }
}

function refusal(path: string, { seq }: ExclusiveLock): string {
  const state = seq === null ? 'cannot be read as a store of this build' : `has content, up to event ${seq}`
  return `${path} ${state}: --force replaces it by the backup, and keeps it under another name`
}

/** Positions after the backup that were seen are refused from then on. */
function forkBehind(part: string, replacedSeq: number | null, now: number): void {
  using database = openForWriting(part, 0)
  migrate(database)
  database.perform(chain.fork(replacedSeq, now))
}

async function keepReplaced(path: string, kept: string): Promise<void> {
  for (const suffix of ['', ...SIDE_FILES]) {
    if (!existsSync(path + suffix)) continue
    chmodSync(path + suffix, OWNER_ONLY)
    await link(path + suffix, kept + suffix)
  }
}

/** A store to be replaced. No service can open it until this is disposed. */
interface ExclusiveLock extends Disposable {
  readonly hasContent: boolean
  /** The number of its last event; null if it cannot be read. */
  readonly seq: number | null
}

/** A damaged store: it cannot be locked, nor asked whether a service has it open. */
const UNREADABLE: ExclusiveLock = { hasContent: true, seq: null, [Symbol.dispose]() {} }

/** Returns null if there is no store. Refuses if a service is using it. */
export function lockExclusively(path: string): ExclusiveLock | null {
  if (!existsSync(path)) return sizeOf(`${path}-wal`) > 0 ? UNREADABLE : null
  if (damageOf(path) !== null) return UNREADABLE
  try {
    const { hasContent, seq } = readContents(path)
    const lock = openExclusively(path)
    return { hasContent, seq, [Symbol.dispose]: () => lock[Symbol.dispose]() }
  } catch (error) {
    if (isBusy(error)) throw new BackupRefused(`A service is using ${path}: stop it first`, { cause: error })
    const known = toStoreError(error)
    if (known instanceof StoreUnusable) return UNREADABLE
    throw known
  }
}

function readContents(path: string): Pick<ExclusiveLock, 'hasContent' | 'seq'> {
  using database = openForReading(path, 0)
  const version = versionOf(database)
  if (version === 0) return { hasContent: database.get('SELECT 1 FROM sqlite_schema') !== undefined, seq: null }
  const { incidents, events, watches } = countsOf(database)
  // Of any schema.
  const { seq } = database.get<{ seq: number }>('SELECT seq FROM log_head')!
  return { hasContent: incidents + events + watches > 0, seq }
}

/** Checks a file that nothing writes to; refuses it as `name` if damaged or unusable. */
function checkStoreFile(path: string, name = path): BackupContents {
  const refuse = (why: string) => new BackupRefused(`${name} ${why}`)
  const damage = damageOf(path)
  if (damage !== null) throw refuse(damage)
  if (sizeOf(`${path}-wal`) > 0) {
    throw refuse('was in use when it was copied: its last writes are in its -wal file. Copy with: incident-feed backup')
  }
  try {
    using database = openImmutable(path)
    if (versionOf(database) === 0) throw refuse('is a SQLite database, but not one of this service')
    refuseNewer(database)
    const faults = database.all<{ integrity_check: string }>('PRAGMA integrity_check(1)')
    if (faults[0]?.integrity_check !== 'ok') throw refuse(`is damaged: ${faults[0]?.integrity_check}`)
    return { ...countsOf(database), bytes: statSync(path).size }
  } catch (error) {
    if (error instanceof BackupRefused) throw error
    const known = toStoreError(error)
    if (known instanceof StoreUnusable) throw new BackupRefused(`${name}: ${known.message}`, { cause: error })
    throw known
  }
}

function countsOf(database: Database): Omit<BackupContents, 'bytes'> {
  const count = (table: string) => database.get<{ count: number }>(`SELECT count(*) AS count FROM ${table}`)!.count
  return {
    incidents: count('incidents'),
    events: count('events'),
    watches: hasTable(database, 'watches') ? count('watches') : 0,
  }
}

export function recordSqliteBackup(path: string, takenAt: number): boolean {
  if (path === MEMORY || !existsSync(path))
    throw new BackupRefused(`There is no database at ${path}; DATABASE_URL says where it is`)
  try {
    using database = new Database(new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS }))
    if (!hasTable(database, 'last_backup')) return false
    database.run(
      `INSERT INTO last_backup (single, taken_at) VALUES (1, ?)
       ON CONFLICT (single) DO UPDATE SET taken_at = max(taken_at, excluded.taken_at)`,
      [takenAt],
    )
    return true
  } catch (error) {
    throw toStoreError(error)
  }
}
