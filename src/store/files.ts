import { chmodSync, closeSync, openSync, statSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { randomName } from '../lib/runtime.ts'

/** The path of a database in memory. */
export const MEMORY = ':memory:'

/** Files with data are for the service's user alone, whatever the umask. */
export const OWNER_ONLY = 0o600
export const OWNER_ONLY_FOLDER = 0o700

/** Creates an empty file before another library fills it: that would create it for everybody. */
export function createOwnerOnly(path: string): void {
  closeSync(openSync(path, 'wx', OWNER_ONLY))
}

/** Takes the rights of the group and of others from a file, if it exists. */
export function tightenMode(path: string, onWarning: (message: string) => void): void {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode
  if (mode === undefined || (mode & 0o077) === 0) return
  const before = (mode & 0o777).toString(8).padStart(4, '0')
  try {
    chmodSync(path, mode & 0o700)
    onWarning(`${path} could be read by other users (mode ${before}); it no longer can`)
  } catch (error) {
    onWarning(`${path} can be read by other users (mode ${before}), and this cannot be changed: ${String(error)}`)
  }
}

/**
 * Lets `write` fill a temporary file beside `path` and, once it is synced to disk, `place` move it:
 * a crash never leaves a partial file at `path`. Only the owner can read the file at any time.
 */
export async function writeAtomically<Result>(
  path: string,
  write: (part: string) => Promise<Result>,
  place: (part: string) => Promise<void> = (part) => rename(part, path),
): Promise<Result> {
  const part = `${path}.${randomName()}.part`
  try {
    createOwnerOnly(part)
    const result = await write(part)
    await syncToDisk(part)
    await place(part)
    await syncToDisk(dirname(path))
    return result
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(part + suffix, { force: true })
  }
}

/** Syncs a file's bytes, or a folder's names. */
async function syncToDisk(path: string): Promise<void> {
  await using handle: FileHandle = await open(path, 'r')
  await handle.sync()
}

/** The folder of a node's archive beside a SQLite database; null for a database in memory. */
export function snapshotFolderOf(path: string): string | null {
  return path === MEMORY ? null : `${path}.snapshot`
}
