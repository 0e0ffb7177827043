import { viewOf } from '../../../lib/checksum.ts'
import type { SlabFile } from './slab-file.ts'

/** A scan reads this much at once, after it has read a few documents one by one. */
const MOST_BYTES = 256 << 10
const FIRST_BYTES = 4 << 10
/** Documents that are further apart are read one by one. */
const GAP_BYTES = 16 << 10

/** A part of a file in memory, for documents that are read one after the other. */
export class FileWindow {
  bytes: Uint8Array = new Uint8Array(0)
  view: DataView = viewOf(this.bytes)
  #file: SlabFile | null = null
  #start = 0
  #end = 0
  #ahead = FIRST_BYTES

  /** Returns where in `bytes` the range is; valid until the next call. */
  find(file: SlabFile, offset: number, length: number): number {
    if (!this.#has(file, offset, offset + length)) this.#readAhead(file, offset, offset + length)
    return offset - this.#start
  }

  /** Reads a range that has several documents. */
  fill(file: SlabFile, start: number, end: number): void {
    if (!this.#has(file, start, end)) this.#read(file, start, end)
  }

  /** Forgets what was read: the file may have changed. */
  clear(): void {
    this.#file = null
  }

  #has(file: SlabFile, start: number, end: number): boolean {
    return this.#file === file && start >= this.#start && end <= this.#end
  }

  /** Reads more, in the direction of the scan, the longer it goes on. */
  #readAhead(file: SlabFile, start: number, end: number): void {
    const isForwards = this.#file !== file || start >= this.#start
    const distance = isForwards ? start - this.#end : this.#start - end
    const goesOn = this.#file === file && distance < GAP_BYTES
    this.#ahead = goesOn ? Math.min(MOST_BYTES, this.#ahead * 2) : FIRST_BYTES
    const wanted = Math.max(end - start, this.#ahead)
    if (isForwards) this.#read(file, start, Math.min(file.bytes, start + wanted))
    else this.#read(file, Math.max(0, end - wanted), end)
  }

  #read(file: SlabFile, start: number, end: number): void {
    if (this.bytes.length < end - start) {
      this.bytes = new Uint8Array(Math.max(MOST_BYTES, end - start))
      this.view = viewOf(this.bytes)
    }
    this.#file = null
    file.read(this.bytes, 0, end - start, start)
    this.#file = file
    this.#start = start
    this.#end = end
  }
}
