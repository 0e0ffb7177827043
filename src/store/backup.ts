import { existsSync, realpathSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isPostgres, openStore, sqlitePathOf } from './open.ts'
import { type BackupContents, BackupRefused, type LogHead, type RestoreResult } from './store.ts'

/** The command with which the operator backs up or restores PostgreSQL. */
interface ManualCommand {
  readonly command: string
}

const PG_DUMP_MAGIC = Buffer.from('PGDMP')

/** Copies the store into a file while it is in use. Replaces an existing file only with `force`. */
export async function backUp(
  databaseUrl: string,
  file: string,
  force: boolean,
): Promise<BackupContents | ManualCommand> {
  const stats = await stat(file).catch(() => null)
  if (stats?.isDirectory()) throw new BackupRefused(`${file} is a folder: name a file`)
  if (stats !== null && !force) throw new BackupRefused(`${file} already exists: --force replaces it`)
  if (!existsSync(dirname(file))) throw new BackupRefused(`There is no folder ${dirname(file)} for the backup`)
  if (isPostgres(databaseUrl)) return { command: (await postgres()).dumpCommand(databaseUrl, file) }
  const path = sqlitePathOf(databaseUrl)
  if (existsSync(path) && existsSync(file) && realpathSync(path) === realpathSync(file)) {
    throw new BackupRefused(`${file} is the database itself: write the backup to another file`)
  }
  return (await sqlite()).backUpSqlite(path, file)
}

/** Replaces the store by a backup: a store with content only with `force`, one in use never. */
export async function restore(
  databaseUrl: string,
  file: string,
  force: boolean,
  now: number,
): Promise<RestoreResult | ManualCommand> {
  const stats = await stat(file).catch(() => null)
  if (stats === null) throw new BackupRefused(`There is no file ${file}`)
  if (!stats.isFile()) throw new BackupRefused(`${file} is not a file`)
  if (!isPostgres(databaseUrl)) return (await sqlite()).restoreSqlite(file, sqlitePathOf(databaseUrl), force, now)
  if (!(await beginsWith(file, PG_DUMP_MAGIC)))
    throw new BackupRefused(`${file} was not written by pg_dump --format=custom`)
  return { command: (await postgres()).restoreCommand(databaseUrl, file, force) }
}

/** To be called after a store was put back to an earlier state by other means than `restore`. */
export async function forkLog(databaseUrl: string, now: number): Promise<LogHead> {
  if (isPostgres(databaseUrl)) {
    const connections = await (await postgres()).countConnections(databaseUrl)
    if (connections > 0) {
      throw new BackupRefused(`A service is using the database, with ${connections} connections: stop it first`)
    }
  } else {
    const path = sqlitePathOf(databaseUrl)
    if (!existsSync(path)) throw new BackupRefused(`There is no database at ${path}; DATABASE_URL says where it is`)
    const { lockExclusively } = await sqlite()
    lockExclusively(path)?.[Symbol.dispose]()
  }
  await using store = await openStore(databaseUrl)
  return store.chain.fork(null, now)
}

/**
 * Notes in the store when a backup was taken; an earlier time than the one on record changes
 * nothing. Does not migrate: a backup is made before an upgrade. Returns false, and notes nothing,
 * if the schema is too old to have a place for it.
 */
export async function recordBackup(databaseUrl: string, takenAt: number): Promise<boolean> {
  return isPostgres(databaseUrl)
    ? (await postgres()).recordPostgresBackup(databaseUrl, takenAt)
    : (await sqlite()).recordSqliteBackup(sqlitePathOf(databaseUrl), takenAt)
}

/** Loaded only for its own databases. */
const postgres = () => import('./postgres/backup.ts')
const sqlite = () => import('./sqlite/backup.ts')

async function beginsWith(file: string, bytes: Buffer): Promise<boolean> {
  await using handle = await open(file)
  const { buffer } = await handle.read(Buffer.alloc(bytes.length), 0, bytes.length, 0)
  return buffer.equals(bytes)
}
