import { enlarge } from '../../lib/enlarge.ts'
import { DocumentDigests } from './document-digests.ts'

/** Large, so that a gigabyte of documents does not fragment memory. */
export const SLAB_BYTES = 16 << 20
const FIRST_CAPACITY = 1024
const encoder = new TextEncoder()

/** Where the documents of slots 0, 1, 2 … are. */
export interface DocumentRanges {
  readonly slab: Uint16Array
  readonly offset: Uint32Array
  readonly length: Uint32Array
}

/** Bytes that hold documents: those up to `used` never change. */
export interface SlabContents {
  readonly bytes: Uint8Array
  readonly used: number
}

interface Slab {
  bytes: Uint8Array
  used: number
  /** The bytes that slots still refer to. */
  live: number
}

/**
 * Stores each incident's JSON in large buffers (slabs): a million small buffers would cost more
 * than their contents. Slabs are only appended to, so pinned bytes never change.
 */
export class DocumentStore {
  readonly #slabBytes: number
  readonly #slabs: (Slab | null)[] = []
  #open: Slab | null = null
  #slab: Uint16Array = new Uint16Array(FIRST_CAPACITY)
  #offset: Uint32Array = new Uint32Array(FIRST_CAPACITY)
  #length: Uint32Array = new Uint32Array(FIRST_CAPACITY)
  #slots = 0
  readonly #digests = new DocumentDigests()

  constructor(slabBytes = SLAB_BYTES) {
    this.#slabBytes = slabBytes
  }

  /** Takes over slabs and the ranges in them; `slots` may be below the lengths of the ranges. */
  static of(
    ranges: DocumentRanges,
    slots: number,
    slabs: readonly SlabContents[],
    slabBytes = SLAB_BYTES,
  ): DocumentStore {
    const store = new DocumentStore(slabBytes)
    store.#slabs.push(...slabs.map(({ bytes, used }) => ({ bytes, used, live: 0 })))
    store.#slab = ranges.slab
    store.#offset = ranges.offset
    store.#length = ranges.length
    store.#slots = slots
    for (let slot = 0; slot < slots; slot++) store.#slabs[ranges.slab[slot]!]!.live += ranges.length[slot]!
    const last = store.#slabs.at(-1)
    if (last && last.used < last.bytes.length) store.#open = last
    return store
  }

  /** The bytes allocated, in use or not. */
  get size(): number {
    return this.#slabs.reduce((sum, slab) => sum + (slab?.bytes.length ?? 0), 0)
  }

  get(slot: number): Uint8Array {
    const offset = this.#offset[slot]!
    return this.#slabs[this.#slab[slot]!]!.bytes.subarray(offset, offset + this.#length[slot]!)
  }

  /** Tests a document in place: for a million of them, even the view that `get` returns costs. */
  test(slot: number, holds: (bytes: Uint8Array, start: number, end: number) => boolean): boolean {
    const offset = this.#offset[slot]!
    return holds(this.#slabs[this.#slab[slot]!]!.bytes, offset, offset + this.#length[slot]!)
  }

  /**
   * Copies where the documents of `count` slots are, in the given order, with the slabs that hold
   * them. Their bytes stay as they are, whatever is added, replaced or removed.
   */
  contentsOf(runs: Iterable<Uint32Array>, count: number): { ranges: DocumentRanges; slabs: SlabContents[] } {
    const [slab, offset, length] = [new Uint16Array(count), new Uint32Array(count), new Uint32Array(count)]
    const numbers = new Int32Array(this.#slabs.length).fill(-1)
    const slabs: SlabContents[] = []
    let at = 0
    for (const slots of runs) {
      for (const slot of slots) {
        const number = this.#slab[slot]!
        if (numbers[number] === -1) {
          const { bytes, used } = this.#slabs[number]!
          numbers[number] = slabs.push({ bytes, used }) - 1
        }
        slab[at] = numbers[number]!
        offset[at] = this.#offset[slot]!
        length[at++] = this.#length[slot]!
      }
    }
    return { ranges: { slab, offset, length }, slabs }
  }

  lengthOf(slot: number): number {
    return this.#length[slot]!
  }

  /** A number that stands for the content of a document. */
  digestOf(slot: number): number {
    return this.#digests.digestOf(slot, this.get(slot))
  }

  /** Pins the documents of these slots for reading them later. */
  pin(slots: Uint32Array): PinnedDocuments {
    const numbers = new Map<number, number>()
    const slabs: Uint8Array[] = []
    const slab = slots.map((slot) => {
      const number = this.#slab[slot]!
      let place = numbers.get(number)
      if (place === undefined) {
        place = slabs.push(this.#slabs[number]!.bytes) - 1
        numbers.set(number, place)
      }
      return place
    })
    const offset = slots.map((slot) => this.#offset[slot]!)
    return new PinnedDocuments(
      slabs,
      slab,
      offset,
      slots.map((slot) => this.#length[slot]!),
    )
  }

  /** Copies in a chunk of documents; `setRange` then assigns its parts to slots. */
  appendChunk(bytes: Uint8Array): { slab: number; offset: number } {
    const slab = this.#roomFor(bytes.length)
    const offset = slab.used
    slab.bytes.set(bytes, offset)
    slab.used += bytes.length
    return { slab: this.#slabs.lastIndexOf(slab), offset }
  }

  setRange(slot: number, slab: number, offset: number, length: number): void {
    while (slot >= this.#slab.length) this.#grow()
    this.#digests.forget(slot)
    this.#slab[slot] = slab
    this.#offset[slot] = offset
    this.#length[slot] = length
    this.#slots = Math.max(this.#slots, slot + 1)
    this.#slabs[slab]!.live += length
  }

  addDocument(slot: number, document: string): void {
    this.#append(slot, encoder.encode(document))
  }

  replaceDocument(slot: number, document: string): void {
    this.removeDocument(slot)
    this.addDocument(slot, document)
  }

  /** Removes a document; frees a mostly unused slab, or corrections would grow without limit. */
  removeDocument(slot: number): void {
    const number = this.#slab[slot]!
    const slab = this.#slabs[number]!
    slab.live -= this.#length[slot]!
    this.#length[slot] = 0
    if (slab !== this.#open && slab.live < slab.used / 4) this.#rewrite(number, slab)
  }

  #append(slot: number, bytes: Uint8Array): void {
    const { slab, offset } = this.appendChunk(bytes)
    this.setRange(slot, slab, offset, bytes.length)
  }

  #roomFor(length: number): Slab {
    if (this.#open === null || this.#open.used + length > this.#open.bytes.length) {
      this.#open = { bytes: new Uint8Array(Math.max(this.#slabBytes, length)), used: 0, live: 0 }
      this.#slabs.push(this.#open)
    }
    return this.#open
  }

  #rewrite(number: number, slab: Slab): void {
    for (let slot = 0; slot < this.#slots; slot++) {
      if (this.#slab[slot] !== number || this.#length[slot] === 0) continue
      const offset = this.#offset[slot]!
      this.#append(slot, slab.bytes.subarray(offset, offset + this.#length[slot]!))
    }
    this.#slabs[number] = null
  }

  #grow(): void {
    this.#slab = enlarge(this.#slab)
    this.#offset = enlarge(this.#offset)
    this.#length = enlarge(this.#length)
  }
}

/**
 * Documents as they were at one moment: written bytes are never overwritten. Costs 12 bytes per
 * incident and keeps replaced documents from being freed, so hold it only for a download.
 */
export class PinnedDocuments {
  readonly #slabs: readonly Uint8Array[]
  readonly #slab: Uint32Array
  readonly #offset: Uint32Array
  readonly #length: Uint32Array

  constructor(slabs: readonly Uint8Array[], slab: Uint32Array, offset: Uint32Array, length: Uint32Array) {
    this.#slabs = slabs
    this.#slab = slab
    this.#offset = offset
    this.#length = length
  }

  get size(): number {
    return this.#offset.length
  }

  at(index: number): Uint8Array {
    const offset = this.#offset[index]!
    return this.#slabs[this.#slab[index]!]!.subarray(offset, offset + this.#length[index]!)
  }
}
