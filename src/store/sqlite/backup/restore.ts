import { chmodSync, createReadStream, createWriteStream, existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { link, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type BackupContents, BackupRefused } from '../../backup/contents.ts'
import { events } from '../../queries/events.ts'
import { logHead } from '../../queries/heads.ts'
import { writeAtomically } from '../../shared/atomic-write.ts'
import { OWNER_ONLY, OWNER_ONLY_FOLDER } from '../../shared/file-modes.ts'
import { RESTORE_GAP } from '../../shared/restore-gap.ts'
import { snapshotFolderOf } from '../../shared/snapshot-folder.ts'
import { MEMORY, openForWriting } from '../connection/database.ts'
import { isDiskFull, toStoreError } from '../connection/errors.ts'
import { migrate } from '../migrate.ts'
import { checkStoreFile } from './contents.ts'
import { type ExclusiveLock, lockExclusively } from './exclusive-lock.ts'

export interface RestoreResult {
  readonly contents: BackupContents
  /** The replaced store's path; null if it had no content. */
  readonly kept: string | null
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
        skipBeyond(part, lock?.head?.seq ?? 0)
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
    if (isDiskFull(error)) throw new BackupRefused(`There is no room for the copy at ${path}`, { cause: error })
    throw toStoreError(error)
  }
  return { contents, kept }
}

function refusal(path: string, { head }: ExclusiveLock): string {
  const state = head === null ? 'cannot be read as a store of this build' : `has content, up to event ${head.seq}`
  return `${path} ${state}: --force replaces it by the backup, and keeps it under another name`
}

/** Skips all numbers that the backup or the replaced store may have given out. */
function skipBeyond(part: string, seq: number): void {
  using database = openForWriting(part, 0)
  migrate(database)
  const { seq: stored } = database.perform(logHead())
  database.perform(events.skipAhead(RESTORE_GAP + Math.max(0, seq - stored)))
}

async function keepReplaced(path: string, kept: string): Promise<void> {
  for (const suffix of ['', ...SIDE_FILES]) {
    if (!existsSync(path + suffix)) continue
    chmodSync(path + suffix, OWNER_ONLY)
    await link(path + suffix, kept + suffix)
  }
}
