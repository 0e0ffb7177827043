import { viewOf } from '../../lib/checksum.ts'
import type { SlabFile } from './files/slab-file.ts'

/**
 * Large, so that a gigabyte of documents does not fragment memory. Only appended to: written bytes
 * never change.
 */
export class Slab {
  /** Where the documents are: in memory, or in a file. */
  place: Uint8Array | SlabFile
  used: number
  /** The bytes that slots still refer to. */
  live = 0
  /** Whether every document has had its checksum from the beginning. */
  isChecked = true
  #isLent = false
  #view: DataView | null = null

  constructor(place: Uint8Array | SlabFile, used = 0) {
    this.place = place
    this.used = used
  }

  /** Null if the documents are in a file. */
  get bytes(): Uint8Array | null {
    return this.place instanceof Uint8Array ? this.place : null
  }

  get file(): SlabFile | null {
    return this.place instanceof Uint8Array ? null : this.place
  }

  /** A view of the bytes in memory. */
  get view(): DataView {
    this.#view ??= viewOf(this.bytes!)
    return this.#view
  }

  /** Returns the place for reading later: its memory stays until nobody refers to it. */
  lend(): Uint8Array | SlabFile {
    this.#isLent = true
    return this.place
  }

  get isLent(): boolean {
    return this.#isLent
  }

  hasRoomFor(length: number): boolean {
    return this.place instanceof Uint8Array && this.used + length <= this.place.length
  }

  moveTo(file: SlabFile): void {
    this.place = file
    this.#view = null
  }
}
