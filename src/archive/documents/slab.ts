import { enlarge, viewOf } from '../../lib/bytes.ts'
import type { SlabFile } from './slab-file.ts'

/**
 * Large, so that a gigabyte of documents does not fragment memory. Only appended to: written bytes
 * never change.
 */
export class Slab {
  /** The documents, in memory or in a file. */
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

const FIRST_CAPACITY = 1024

/** The places of the documents of slots 0, 1, 2 … */
export interface DocumentRanges {
  slab: Uint16Array
  offset: Uint32Array
  length: Uint32Array
  /** 0 if it is not known. */
  checksum: Uint32Array
}

export function emptyRanges(capacity = FIRST_CAPACITY): DocumentRanges {
  return {
    slab: new Uint16Array(capacity),
    offset: new Uint32Array(capacity),
    length: new Uint32Array(capacity),
    checksum: new Uint32Array(capacity),
  }
}

/** In place: whoever adds documents shares the ranges with those who read them. */
export function enlargeRanges(ranges: DocumentRanges): void {
  ranges.slab = enlarge(ranges.slab)
  ranges.offset = enlarge(ranges.offset)
  ranges.length = enlarge(ranges.length)
  ranges.checksum = enlarge(ranges.checksum)
}

/** A slab as it is at one moment: its bytes up to `used` never change. */
export interface SlabContents {
  readonly slab: Slab
  readonly used: number
  /** Whether every document that a slot refers to is among the contents, and none can be added. */
  readonly isWhole: boolean
}

export interface DocumentContents {
  readonly ranges: DocumentRanges
  readonly slabs: readonly SlabContents[]
}

/**
 * Copies where the documents of `count` slots are, in the order of `runs`, with the slabs that hold
 * them.
 */
export function contentsOf(
  { slab, offset, length, checksum }: DocumentRanges,
  slabs: readonly (Slab | null)[],
  open: Slab | null,
  runs: Iterable<Uint32Array>,
  count: number,
): DocumentContents {
  const ranges = emptyRanges(count)
  const numbers = new Int32Array(slabs.length).fill(-1)
  const found: Slab[] = []
  const bytes: number[] = []
  let at = 0
  for (const slots of runs) {
    for (const slot of slots) {
      const number = slab[slot]!
      if (numbers[number] === -1) {
        slabs[number]!.lend()
        numbers[number] = found.push(slabs[number]!) - 1
        bytes.push(0)
      }
      const place = numbers[number]!
      bytes[place]! += length[slot]!
      ranges.slab[at] = place
      ranges.offset[at] = offset[slot]!
      ranges.checksum[at] = checksum[slot]!
      ranges.length[at++] = length[slot]!
    }
  }
  const contents = found.map((one, place) => ({
    slab: one,
    used: one.used,
    isWhole: one !== open && one.live === bytes[place],
  }))
  return { ranges, slabs: contents }
}
