import { execFile } from 'node:child_process'
import { mkdtemp, open, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Creates a folder that is removed when it is disposed. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'incident-feed-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

const run = promisify(execFile)
const CHUNK = Buffer.alloc(4096, 'x')

/** A small file system in memory, which a test can fill. */
export interface SmallDisk extends AsyncDisposable {
  readonly path: string
  /** Leaves no page free. */
  fill(): Promise<void>
  /** Frees the space that `fill` took. */
  free(): Promise<void>
}

/** Returns the reason as a string if no file system can be mounted, which needs root. */
export async function smallDisk(megabytes: number): Promise<SmallDisk | string> {
  const folder = await temporaryFolder()
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'incident-feed', folder.path])
  } catch (error) {
    await folder[Symbol.asyncDispose]()
    return `a small disk cannot be mounted: ${(error as Error).message.trim()}`
  }
  const filler = join(folder.path, 'filler')
  return {
    path: folder.path,

    async fill() {
      await using file = await open(filler, 'a')
      const { bfree, bsize } = await statfs(folder.path)
      await file.write(Buffer.alloc(bfree * bsize)).catch(rethrowUnlessFull)
      // Fills the space that other processes have freed in the meantime.
      for (let full = false; !full; )
        full = await file.write(CHUNK).then(
          () => false,
          (error: unknown) => rethrowUnlessFull(error),
        )
    },

    free: () => rm(filler, { force: true }),

    async [Symbol.asyncDispose]() {
      await run('umount', [folder.path])
      await folder[Symbol.asyncDispose]()
    },
  }
}

function rethrowUnlessFull(error: unknown): true {
  if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return true
  throw error
}
