import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createOwnerOnly } from './file-modes.ts'

/**
 * Lets `write` fill a temporary file beside `path` and, once it is synced to disk, `place` move it:
 * a crash never leaves a partial file at `path`. Only the owner can read the file at any time.
 */
export async function writeAtomically<Result>(
  path: string,
  write: (part: string) => Promise<Result>,
  place: (part: string) => Promise<void> = (part) => rename(part, path),
): Promise<Result> {
  const part = `${path}.${randomUUID()}.part`
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
