import { closeSync, fdatasync, fstatSync, ftruncate, openSync, read, readSync, write } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { StoreUnavailable } from '../../store/store.ts'

const ZEROS = new Uint8Array(1 << 20)
const [readLater, writeLater, syncLater, truncateLater] = [read, write, fdatasync, ftruncate].map((call) =>
  promisify(call),
) as unknown as [
  (fd: number, into: Uint8Array, at: number, length: number, position: number) => Promise<{ bytesRead: number }>,
  (fd: number, from: Uint8Array, at: number, length: number, position: number) => Promise<{ bytesWritten: number }>,
  (fd: number) => Promise<void>,
  (fd: number, length: number) => Promise<void>,
]

/**
 * A file of documents that is read by position. It stays open, so that it can be read whatever
 * becomes of its name. What is read is to be compared with its checksum.
 */
export class SlabFile {
  readonly name: string
  readonly bytes: number
  #fd: number | null
  #holders = 0
  #isDropped = false

  private constructor(name: string, bytes: number, fd: number) {
    this.name = name
    this.bytes = bytes
    this.#fd = fd
  }

  /** Throws if the file has another length. */
  static open(folder: string, name: string, bytes: number): SlabFile {
    const fd = openSync(join(folder, name), 'r+')
    const { size } = fstatSync(fd)
    if (size === bytes) return new SlabFile(name, bytes, fd)
    closeSync(fd)
    throw new Error(`${name} has ${size} bytes instead of ${bytes}`)
  }

  /** Throws `UnreadableDocuments` if the file has not got all of these bytes. */
  read(into: Uint8Array, at: number, length: number, position: number): void {
    for (let done = 0; done < length; ) {
      const count = this.#readSome(into, at + done, length - done, position + done)
      if (count === 0) throw new UnreadableDocuments(`${this.name} is truncated`)
      done += count
    }
  }

  /** Reads from the beginning, without holding up the event loop. */
  async readAll(into: Uint8Array): Promise<void> {
    for (let at = 0; at < this.bytes; ) {
      const { bytesRead } = await readLater(this.#openFile, into, at, this.bytes - at, at)
      if (bytesRead === 0) throw new UnreadableDocuments(`${this.name} is truncated`)
      at += bytesRead
    }
  }

  /** Overwrites these ranges with zeros, on the disk too. */
  async erase(ranges: Iterable<readonly [start: number, end: number]>): Promise<void> {
    let isChanged = false
    for (const [start, end] of ranges) {
      for (let at = start; at < end; isChanged = true) {
        const { bytesWritten } = await writeLater(this.#openFile, ZEROS, 0, Math.min(end - at, ZEROS.length), at)
        at += bytesWritten
      }
    }
    if (isChanged) await this.sync()
  }

  async sync(): Promise<void> {
    await syncLater(this.#openFile)
  }

  /** Keeps the file open until `release`, even if it is dropped. */
  hold(): void {
    this.#holders++
  }

  release(): void {
    this.#holders--
    if (this.#isDropped && this.#holders === 0) this.close()
  }

  /** Closes the file as soon as nobody holds it. */
  drop(): void {
    this.#isDropped = true
    if (this.#holders === 0) this.close()
  }

  /** Empties a file that was dropped: whoever holds it cannot go on reading. */
  async empty(): Promise<void> {
    if (this.#fd !== null) await truncateLater(this.#fd, 0)
  }

  get isOpen(): boolean {
    return this.#fd !== null
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd)
    this.#fd = null
  }

  get #openFile(): number {
    if (this.#fd === null) throw new UnreadableDocuments(`${this.name} is closed`)
    return this.#fd
  }

  #readSome(into: Uint8Array, at: number, length: number, position: number): number {
    const fd = this.#openFile
    try {
      return readSync(fd, into, at, length, position)
    } catch (error) {
      throw new UnreadableDocuments(`${this.name} cannot be read`, { cause: error })
    }
  }
}

/** Documents in a file that is damaged; they are read again from the store, and then readable. */
export class UnreadableDocuments extends StoreUnavailable {
  override readonly name = 'UnreadableDocuments'
}
