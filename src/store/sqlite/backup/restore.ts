import { constants, existsSync, mkdirSync, realpathSync, rmSync } from 'node:fs'
import { copyFile, link, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type BackupContents, BackupRefused } from '../../backup-contents.ts'
import { writeAtomically } from '../../shared/atomic-write.ts'
import { RESTORE_GAP } from '../../shared/restore-gap.ts'
import { MEMORY, openForWriting } from '../connection/database.ts'
import { isNoRoom, mapped } from '../connection/errors.ts'
import { type Held, hold } from '../connection/exclusive-lock.ts'
import { events, headOf } from '../incidents/events.ts'
import { migrate } from '../migrate.ts'
import { checkStoreFile } from './contents.ts'

export interface RestoreResult {
  readonly contents: BackupContents
  /** Where the store that was there is now; null where there was nothing in it. */
  readonly kept: string | null
}

const BESIDE = ['-wal', '-shm', '-journal']

/** Puts a backup in the store's place, whole or not at all. What was there is kept under another name, and only replaced with `force`. */
export async function restoreSqlite(from: string, path: string, force: boolean, now: number): Promise<RestoreResult> {
  if (path === MEMORY) throw new BackupRefused('A database in memory begins empty: name a file in DATABASE_URL')
  if (existsSync(path) && realpathSync(from) === realpathSync(path)) {
    throw new BackupRefused(`${from} is the database itself, not a backup of it`)
  }
  const contents = checkStoreFile(from)
  mkdirSync(dirname(path), { recursive: true })
  using held = hold(path)
  if (held?.hasContent && !force) throw new BackupRefused(refusal(path, held))
  const kept = held?.hasContent ? `${path}.replaced-${new Date(now).toISOString().replaceAll(':', '')}` : null
  try {
    await writeAtomically(
      path,
      async (part) => {
        await copyFile(from, part, constants.COPYFILE_FICLONE)
        goOnBeyond(part, held?.head?.seq ?? 0)
      },
      async (part) => {
        if (kept !== null) await keep(path, kept)
        // SQLite would take another store's log for this one's.
        for (const suffix of BESIDE) rmSync(path + suffix, { force: true })
        await rename(part, path)
      },
    )
  } catch (error) {
    if (isNoRoom(error)) throw new BackupRefused(`There is no room for the copy at ${path}`, { cause: error })
    throw mapped(error)
  }
  return { contents, kept }
}

function refusal(path: string, { head }: Held): string {
  const state = head === null ? 'cannot be read as a store of this build' : `has content, up to event ${head.seq}`
  return `${path} ${state}: --force puts the backup in its place, and keeps it under another name`
}

/** Beyond what the backup has given out, and beyond what the store has whose place it takes. */
function goOnBeyond(part: string, seq: number): void {
  using database = openForWriting(part, 0)
  migrate(database)
  events(database).skipAhead(RESTORE_GAP + Math.max(0, seq - headOf(database).seq))
}

async function keep(path: string, kept: string): Promise<void> {
  for (const suffix of ['', ...BESIDE]) if (existsSync(path + suffix)) await link(path + suffix, kept + suffix)
}
