import { existsSync, realpathSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type BackupContents, BackupRefused } from './backup-contents.ts'
import { isPostgres, openStore, sqlitePathOf } from './open.ts'
import { RESTORE_GAP } from './shared/restore-gap.ts'
import type { RestoreResult } from './sqlite/backup/restore.ts'
import type { LogHead } from './store.ts'

/** For a database whose own tools do it: the command to run. */
export interface ToRun {
  readonly command: string
}

const PG_DUMP_MAGIC = Buffer.from('PGDMP')

/** Copies the store into a file while it is in use. A file that is there is replaced with `force` only. */
export async function backUp(databaseUrl: string, file: string, force: boolean): Promise<BackupContents | ToRun> {
  await checkTarget(file, force)
  if (isPostgres(databaseUrl)) {
    const { dumpCommand } = await import('./postgres/backup/backup.ts')
    return { command: dumpCommand(databaseUrl, file) }
  }
  const path = sqlitePathOf(databaseUrl)
  if (existsSync(path) && existsSync(file) && realpathSync(path) === realpathSync(file)) {
    throw new BackupRefused(`${file} is the database itself: a backup needs a file of its own`)
  }
  const { backUpSqlite } = await import('./sqlite/backup/backup.ts')
  return backUpSqlite(path, file)
}

/** Puts a backup in the store's place. A store with content is replaced with `force` only, one in use never. */
export async function restore(
  databaseUrl: string,
  file: string,
  force: boolean,
  now: number,
): Promise<RestoreResult | ToRun> {
  await checkSource(file)
  if (isPostgres(databaseUrl)) {
    if (!(await beginsWith(file, PG_DUMP_MAGIC)))
      throw new BackupRefused(`${file} is not what pg_dump --format=custom writes`)
    const { restoreCommand } = await import('./postgres/backup/backup.ts')
    return { command: restoreCommand(databaseUrl, file, force) }
  }
  const { restoreSqlite } = await import('./sqlite/backup/restore.ts')
  return restoreSqlite(file, sqlitePathOf(databaseUrl), force, now)
}

/** For a store that was put back to an earlier state by other means than `restore`. */
export async function skipAhead(databaseUrl: string): Promise<LogHead> {
  if (isPostgres(databaseUrl)) {
    const { connectionsOf } = await import('./postgres/connection/in-use.ts')
    const connections = await connectionsOf(databaseUrl)
    if (connections > 0) {
      throw new BackupRefused(`A service is using the database, with ${connections} connections: stop it first`)
    }
  } else {
    const path = sqlitePathOf(databaseUrl)
    if (!existsSync(path)) throw new BackupRefused(`There is no database at ${path}; DATABASE_URL says where it is`)
    const { hold } = await import('./sqlite/connection/exclusive-lock.ts')
    hold(path)?.[Symbol.dispose]()
  }
  await using store = await openStore(databaseUrl)
  return store.events.skipAhead(RESTORE_GAP)
}

async function checkTarget(file: string, force: boolean): Promise<void> {
  const there = await stat(file).catch(() => null)
  if (there?.isDirectory()) throw new BackupRefused(`${file} is a folder: name a file`)
  if (there !== null && !force) throw new BackupRefused(`${file} is there already: --force replaces it`)
  if (!existsSync(dirname(file))) throw new BackupRefused(`There is no folder ${dirname(file)} to put the backup in`)
}

async function checkSource(file: string): Promise<void> {
  const there = await stat(file).catch(() => null)
  if (there === null) throw new BackupRefused(`There is no file ${file}`)
  if (!there.isFile()) throw new BackupRefused(`${file} is not a file`)
}

async function beginsWith(file: string, bytes: Buffer): Promise<boolean> {
  await using handle = await open(file)
  const { buffer } = await handle.read(Buffer.alloc(bytes.length), 0, bytes.length, 0)
  return buffer.equals(bytes)
}
