import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { runInSlices } from '../../lib/concurrency.ts'
import { randomName } from '../../lib/runtime.ts'
import type { Steps } from '../../lib/steps.ts'

/** For the service's user alone, whatever the umask: the files hold what the database holds. */
export const OWNER_ONLY = 0o600
export const OWNER_ONLY_FOLDER = 0o700

/** A checksum of this many bytes takes well below a millisecond. */
const CHECKED_AT_ONCE = 512 << 10

/** Bytes in a file, and their checksum. */
interface Checked {
  readonly bytes: number
  readonly checksum: number
}

/** A named part of a file. */
export interface Section extends Checked {
  readonly name: string
}

/** A file of documents, which have checksums of their own. */
export interface SavedFile {
  readonly name: string
  readonly bytes: number
}

/** A file that is being written, under a name that no other file has had. */
export class NewFile implements AsyncDisposable {
  readonly name: string
  readonly #handle: FileHandle
  #length = 0

  private constructor(name: string, handle: FileHandle) {
    this.name = name
    this.#handle = handle
  }

  static async create(folder: string, kind: string): Promise<NewFile> {
    const name = `${kind}-${randomName()}.bin`
    return new NewFile(name, await open(join(folder, name), 'wx', OWNER_ONLY))
  }

  get length(): number {
    return this.#length
  }

  async append(bytes: Uint8Array, signal: AbortSignal): Promise<Checked> {
    const checksum = await runInSlices(checksumOf(bytes), 'saving the archive', signal)
    await this.appendUnchecked(bytes, signal)
    return { bytes: bytes.length, checksum }
  }

  async appendUnchecked(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    for (let at = 0; at < bytes.length; ) {
      signal.throwIfAborted()
      const { bytesWritten } = await this.#handle.write(bytes, at, bytes.length - at, this.#length)
      at += bytesWritten
      this.#length += bytesWritten
    }
  }

  async sync(): Promise<void> {
    await this.#handle.datasync()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#handle.close()
  }
}

/** Reads a whole file into the beginning of `into`. */
export async function readWhole(folder: string, { name, bytes }: SavedFile, into: Uint8Array): Promise<void> {
  await using handle = await openSaved(folder, name, bytes)
  await readFully(handle, 0, bytes, into, name)
}

/** Reads exactly these bytes into the beginning of `into`. */
export async function readChecked(
  handle: FileHandle,
  position: number,
  { bytes, checksum }: Checked,
  into: Uint8Array,
  name: string,
): Promise<void> {
  await readFully(handle, position, bytes, into, name)
  const found = await runInSlices(checksumOf(into.subarray(0, bytes)), 'reading the saved archive')
  if (found !== checksum) throw new UnusableFiles(`${name} is damaged: its checksum differs`)
}

async function readFully(
  handle: FileHandle,
  position: number,
  bytes: number,
  into: Uint8Array,
  name: string,
): Promise<void> {
  if (bytes > into.length) throw new UnusableFiles(`${name} is longer than expected`)
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await handle.read(into, at, bytes - at, position + at)
    if (bytesRead === 0) throw new UnusableFiles(`${name} is truncated`)
    at += bytesRead
  }
}

export async function openSaved(folder: string, name: string, length: number): Promise<FileHandle> {
  const handle = await open(join(folder, name), 'r')
  const { size } = await handle.stat()
  if (size === length) return handle
  await handle.close()
  throw new UnusableFiles(`${name} has ${size} bytes instead of ${length}`)
}

/** Writes the names of a folder to the disk. */
export async function syncFolder(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync()
}

function* checksumOf(bytes: Uint8Array): Steps<number> {
  let checksum = 0
  for (let at = 0; at < bytes.length; at += CHECKED_AT_ONCE) {
    checksum = crc32(bytes.subarray(at, at + CHECKED_AT_ONCE), checksum)
    yield
  }
  return checksum
}

/** The files cannot be used, for the reason in the message: the archive is built from the store. */
export class UnusableFiles extends Error {
  override readonly name = 'UnusableFiles'
}
