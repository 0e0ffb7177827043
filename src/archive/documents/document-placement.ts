import type { DocumentChunk } from '../../store/store.ts'
import { type DocumentRanges, enlargeRanges } from './document-ranges.ts'
import { Slab } from './slab.ts'

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
    // Those in files wait for `compactFiles`: an event must not wait for a disk.
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
      this.#open = new Slab(new Uint8Array(Math.max(this.#slabBytes, length)))
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
