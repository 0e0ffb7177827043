import { existsSync, mkdirSync } from 'node:fs'
import { open, readdir, readFile, rename, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { OWNER_ONLY, OWNER_ONLY_FOLDER, syncFolder } from './files.ts'
import { LOCK_NAME, lockFolder } from './folder-lock.ts'
import { decodeManifest, encodeManifest, type Manifest, namesIn } from './manifest.ts'

const MANIFEST = 'manifest'
const NEW_MANIFEST = 'manifest.new'

/**
 * A folder for the files of one archive, which this process alone uses; everything else in it is
 * deleted.
 */
export class ArchiveFolder implements Disposable {
  readonly path: string
  readonly #lock: Disposable

  private constructor(path: string, lock: Disposable) {
    this.path = path
    this.#lock = lock
  }

  /** Null while another process uses the folder. */
  static open(path: string): ArchiveFolder | null {
    mkdirSync(path, { recursive: true, mode: OWNER_ONLY_FOLDER })
    const lock = lockFolder(path)
    return lock && new ArchiveFolder(path, lock)
  }

  has(name: string): boolean {
    return existsSync(join(this.path, name))
  }

  /** Returns null if nothing is saved. */
  async readManifest(): Promise<Manifest | null> {
    const encoded = await readFile(join(this.path, MANIFEST), 'utf8').catch(nullIfMissing)
    return encoded === null ? null : decodeManifest(encoded)
  }

  /** Replaces the list of files in one step. */
  async writeManifest(manifest: Manifest, signal: AbortSignal): Promise<void> {
    const path = join(this.path, NEW_MANIFEST)
    {
      await using handle = await open(path, 'w', OWNER_ONLY)
      await handle.writeFile(encodeManifest(manifest))
      await handle.sync()
    }
    // The names of the files must be on the disk before the list that needs them.
    await syncFolder(this.path)
    signal.throwIfAborted()
    await rename(path, join(this.path, MANIFEST))
    await syncFolder(this.path)
  }

  /** Leaves as much again: the database may need the room of this disk. */
  async requireRoom(bytes: number, left = bytes): Promise<void> {
    const { bavail, bsize } = await statfs(this.path)
    if (bavail * bsize < bytes + left)
      throw new Error(`it needs ${bytes} bytes and ${left} free ones; there are ${bavail * bsize}`)
  }

  async remove(name: string): Promise<void> {
    await rm(join(this.path, name), { force: true })
  }

  /**
   * Keeps these files, and those of the manifest. The list of files goes first: without it, nobody
   * reads the others.
   */
  async removeFiles(kept: readonly string[], manifest: Manifest | null): Promise<void> {
    const keep = new Set([LOCK_NAME, ...kept, ...(manifest === null ? [] : [MANIFEST, ...namesIn(manifest)])])
    const names = (await readdir(this.path)).filter((name) => !keep.has(name))
    if (names.includes(MANIFEST)) await rm(join(this.path, MANIFEST))
    for (const name of names) await this.remove(name)
  }

  [Symbol.dispose](): void {
    this.#lock[Symbol.dispose]()
  }
}

function nullIfMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
