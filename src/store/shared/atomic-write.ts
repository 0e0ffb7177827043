import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Lets `write` make a temporary file beside `path`, syncs it to the disk, and only then lets
 * `place` move it to `path`: a crash never leaves a partial file under that name.
 */
export async function writeAtomically<Result>(
  path: string,
  write: (part: string) => Promise<Result>,
  place: (part: string) => Promise<void> = (part) => rename(part, path),
): Promise<Result> {
  const part = `${path}.${randomUUID()}.part`
  try {
    const result = await write(part)
    await syncToDisk(part)
    await place(part)
    await syncToDisk(dirname(path))
    return result
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(part + suffix, { force: true })
  }
}

/** Flushes the bytes of a file, or the names in a folder. */
async function syncToDisk(path: string): Promise<void> {
  await using handle: FileHandle = await open(path, 'r')
  await handle.sync()
}
