import { execFile } from 'node:child_process'
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from './folder.ts'

const run = promisify(execFile)
const PIECE = Buffer.alloc(4096, 'x')

/** A file system of its own, in memory, so small that it can be filled. */
export interface SmallDisk extends AsyncDisposable {
  readonly path: string
  /** Leaves not a page free. */
  fill(): Promise<void>
  makeRoom(): Promise<void>
}

/** A sentence where none can be had: making one takes root, and a system that lets it. */
export async function smallDisk(megabytes: number): Promise<SmallDisk | string> {
  const folder = await temporaryFolder()
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'incident-feed', folder.path])
  } catch (error) {
    await folder[Symbol.asyncDispose]()
    return `no small disk can be mounted here, so that nothing could be filled: ${(error as Error).message.trim()}`
  }
  const ballast = join(folder.path, 'ballast')
  return {
    path: folder.path,

    async fill() {
      await using file = await open(ballast, 'a')
      const { bfree, bsize } = await statfs(folder.path)
      await file.write(Buffer.alloc(bfree * bsize)).catch(refuseAllButFull)
      // What others have given up meanwhile.
      for (let full = false; !full; )
        full = await file.write(PIECE).then(
          () => false,
          (error: unknown) => refuseAllButFull(error),
        )
    },

    makeRoom: () => rm(ballast, { force: true }),

    async [Symbol.asyncDispose]() {
      await run('umount', [folder.path])
      await folder[Symbol.asyncDispose]()
    },
  }
}

function refuseAllButFull(error: unknown): true {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return true
  throw error
}
