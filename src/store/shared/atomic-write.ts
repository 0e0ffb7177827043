import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Lets `write` make a file beside `path` and `place` put it there, once all of it is on the disk: under its name there is
 * never a piece of one.
 */
export async function writeAtomically<Result>(
  path: string,
  write: (part: string) => Promise<Result>,
  place: (part: string) => Promise<void> = (part) => rename(part, path),
): Promise<Result> {
  const part = `${path}.${randomUUID()}.part`
  try {
    const result = await write(part)
    await settle(part)
    await place(part)
    await settle(dirname(path))
    return result
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) await rm(part + suffix, { force: true })
  }
}

/** Waits until the disk has it: a file's bytes, or a folder's names. */
async function settle(path: string): Promise<void> {
  await using handle: FileHandle = await open(path, 'r')
  await handle.sync()
}
