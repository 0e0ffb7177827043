import { checksum, enlarge, viewOf } from '../../lib/bytes.ts'
import type { Steps } from '../../lib/steps.ts'
import type { DocumentChunk } from '../../store/store.ts'
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

/** The size of the first slab; each further one has twice as much, up to the size of slabs. */
const FIRST_SLAB_BYTES = 256 << 10
/** A chunk with at least this share of a slab becomes one. */
const LEAST_SHARE = 1 / 4

/** Documents as the store reads them, with a checksum for each. */
export interface CheckedChunk extends DocumentChunk {
  readonly checksums: Uint32Array
}

/**
 * Places documents in slabs and notes where they are. `ranges` and `slabs` are changed in place:
 * whoever reads documents has both too.
 */
export class DocumentPlacement {
  readonly ranges: DocumentRanges
  /** By number; null for those that were freed. */
  readonly slabs: (Slab | null)[]
  /** Called with a slab that no slot refers to any more. */
  onFree: (slab: Slab) => void = () => {}
  readonly #slabBytes: number
  #open: Slab | null = null
  #nextBytes = FIRST_SLAB_BYTES
  #slots = 0

  /** There is no document yet. */
  constructor(slabBytes: number, ranges: DocumentRanges, slabs: (Slab | null)[]) {
    this.#slabBytes = slabBytes
    this.ranges = ranges
    this.slabs = slabs
  }

  /** Takes over slabs and the ranges in them; `slots` may be below the lengths of the ranges. */
  takeOver(ranges: DocumentRanges, slots: number, slabs: readonly Slab[]): void {
    Object.assign(this.ranges, ranges)
    this.slabs.push(...slabs)
    this.#slots = slots
    for (let slot = 0; slot < slots; slot++) slabs[ranges.slab[slot]!]!.live += ranges.length[slot]!
    this.#open = slabs.find((slab) => slab.hasRoomFor(1)) ?? null
  }

  /** All slots that have or had a document are below. */
  get slots(): number {
    return this.#slots
  }

  /** The slab that the next document is added to. */
  get open(): Slab | null {
    return this.#open
  }

  /**
   * Adds the documents of a chunk to slots that have had none, from `slot` on. A large chunk
   * becomes a slab as it is: its bytes must not be used for anything else.
   */
  addChunk(slot: number, { bytes, ends, checksums }: CheckedChunk): void {
    const isSlab = bytes.length >= this.#slabBytes * LEAST_SHARE && bytes.length <= this.#slabBytes
    for (let index = 0, start = 0; index < ends.length; ) {
      const after = isSlab ? ends.length : this.#countThatFit(ends, index)
      const { slab, offset } = isSlab ? this.#addSlab(bytes) : this.#copyIn(bytes.subarray(start, ends[after - 1]!))
      for (const first = start; index < after; index++) {
        this.#setRange(slot + index, slab, offset + start - first, ends[index]! - start, checksums[index]!)
        start = ends[index]!
      }
    }
  }

  /** Adds a document to a slot that has none. */
  append(slot: number, bytes: Uint8Array): void {
    const { slab, offset } = this.#copyIn(bytes)
    this.#setRange(slot, slab, offset, bytes.length, 0)
    this.slabs[slab]!.isChecked = false
  }

  /** Moves a document of the same content to the memory. */
  move(slot: number, bytes: Uint8Array): void {
    const number = this.ranges.slab[slot]!
    const from = this.slabs[number]!
    from.live -= bytes.length
    this.append(slot, bytes)
    if (from.live === 0) this.#free(number)
  }

  /** Removes a document; frees a mostly unused slab, or corrections would grow without limit. */
  remove(slot: number): void {
    const number = this.ranges.slab[slot]!
    const slab = this.slabs[number]!
    slab.live -= this.ranges.length[slot]!
    this.ranges.length[slot] = 0
    if (slab === this.#open) return
    if (slab.live === 0) this.#free(number)
    // Slabs in files wait for `compactFiles`: an event must not wait for a disk.
    else if (slab.bytes !== null && slab.live < slab.used / 4) this.#rewrite(number)
  }

  /**
   * Returns the index behind the documents, from `first` on, that fit into one slab together; one
   * always does.
   */
  #countThatFit(ends: Uint32Array, first: number): number {
    const start = ends[first - 1] ?? 0
    let after = first + 1
    while (after < ends.length && ends[after]! - start <= this.#slabBytes) after++
    return after
  }

  #copyIn(bytes: Uint8Array): { slab: number; offset: number } {
    const slab = this.#roomFor(bytes.length)
    const offset = slab.used
    slab.bytes!.set(bytes, offset)
    slab.used += bytes.length
    return { slab: this.slabs.lastIndexOf(slab), offset }
  }

  #addSlab(bytes: Uint8Array): { slab: number; offset: number } {
    // A view of something larger would keep that in memory.
    const own = bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
    return { slab: this.slabs.push(new Slab(own, own.length)) - 1, offset: 0 }
  }

  #setRange(slot: number, slab: number, offset: number, length: number, known: number): void {
    while (slot >= this.ranges.slab.length) enlargeRanges(this.ranges)
    this.ranges.slab[slot] = slab
    this.ranges.offset[slot] = offset
    this.ranges.length[slot] = length
    this.ranges.checksum[slot] = known
    this.#slots = Math.max(this.#slots, slot + 1)
    this.slabs[slab]!.live += length
  }

  #roomFor(length: number): Slab {
    if (this.#open === null || !this.#open.hasRoomFor(length)) {
      this.#open = new Slab(new Uint8Array(Math.max(Math.min(this.#nextBytes, this.#slabBytes), length)))
      this.#nextBytes = Math.min(2 * this.#nextBytes, this.#slabBytes)
      this.slabs.push(this.#open)
    }
    return this.#open
  }

  #rewrite(number: number): void {
    const { bytes } = this.slabs[number]!
    for (let slot = 0; slot < this.#slots; slot++) {
      const length = this.ranges.length[slot]!
      if (this.ranges.slab[slot] !== number || length === 0) continue
      const offset = this.ranges.offset[slot]!
      this.append(slot, bytes!.subarray(offset, offset + length))
    }
    this.#free(number)
  }

  #free(number: number): void {
    const slab = this.slabs[number]!
    this.slabs[number] = null
    this.onFree(slab)
    slab.file?.drop()
  }
}

const STEP = 1024

/** Computes the checksums that documents in memory have not got yet. */
export class DocumentChecksums {
  readonly #placement: DocumentPlacement

  constructor(placement: DocumentPlacement) {
    this.#placement = placement
  }

  *addAll(): Steps<void> {
    for (let start = 0; start < this.#placement.slots; start += STEP) {
      const end = Math.min(this.#placement.slots, start + STEP)
      for (let slot = start; slot < end; slot++) this.#addMissing(slot)
      yield
    }
  }

  /** Looks at every document of the store, which the slabs of a load can do without. */
  addOfSlab(slab: Slab): void {
    if (!slab.isChecked) this.addOfSlabs(new Set([this.#placement.slabs.indexOf(slab)]))
  }

  /** Adds those of the documents in slabs with these numbers. */
  addOfSlabs(numbers: ReadonlySet<number>): void {
    const { ranges, slots } = this.#placement
    for (let slot = 0; slot < slots; slot++) if (numbers.has(ranges.slab[slot]!)) this.#addMissing(slot)
  }

  #addMissing(slot: number): void {
    const { ranges, slabs } = this.#placement
    const slab = slabs[ranges.slab[slot]!]!
    const length = ranges.length[slot]!
    if (ranges.checksum[slot] !== 0 || length === 0 || slab.bytes === null) return
    const offset = ranges.offset[slot]!
    ranges.checksum[slot] = checksum(slab.view, offset, offset + length)
  }
}
