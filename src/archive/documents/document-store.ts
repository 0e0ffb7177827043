import type { Steps } from '../../lib/async/steps.ts'
import { checksum, viewOf } from '../../lib/checksum.ts'
import type { DocumentChunk } from '../../store/store.ts'
import { DocumentDigests } from './document-digests.ts'
import { type DocumentRanges, emptyRanges, enlargeRanges } from './document-ranges.ts'
import { FileDocuments, type Reader } from './files/file-documents.ts'
import type { SlabFile } from './files/slab-file.ts'
import { type DocumentFiles, Spill } from './files/spill.ts'
import { UnreadableDocuments } from './files/unreadable.ts'
import { PinnedDocuments } from './pinned-documents.ts'
import { Slab } from './slab.ts'
import { contentsOf, type DocumentContents } from './slab-contents.ts'

export const SLAB_BYTES = 16 << 20
/** A chunk with at least this share of a slab becomes one. */
const LEAST_SHARE = 1 / 4
/** Documents of a list that lie this close together in a file are read at once. */
const GAP_BYTES = 4 << 10
const RUN_BYTES = 256 << 10
const STEP = 1024
const encoder = new TextEncoder()

/** Documents as the store reads them, with a checksum for each. */
export interface CheckedChunk extends DocumentChunk {
  readonly checksums: Uint32Array
}

/**
 * Stores each incident's JSON in slabs: a million small buffers would cost more than their contents.
 * Slabs are in memory or in files. What is read from a file is compared with its checksum; if it
 * differs, `UnreadableDocuments` is thrown, and the documents of that file have to be restored.
 */
export class DocumentStore {
  readonly #slabBytes: number
  readonly #spill: Spill | null
  readonly #slabs: (Slab | null)[] = []
  #open: Slab | null = null
  #ranges = emptyRanges()
  #slots = 0
  readonly #digests = new DocumentDigests()
  readonly #inFiles = new FileDocuments()

  constructor(slabBytes = SLAB_BYTES, files: DocumentFiles | null = null) {
    this.#slabBytes = slabBytes
    this.#spill = files && new Spill(files, (slab) => this.#addChecksumsOf(slab))
  }

  /** Takes over slabs and the ranges in them; `slots` may be below the lengths of the ranges. */
  static of(ranges: DocumentRanges, slots: number, slabs: readonly Slab[], slabBytes = SLAB_BYTES): DocumentStore {
    const store = new DocumentStore(slabBytes)
    store.#slabs.push(...slabs)
    store.#ranges = ranges
    store.#slots = slots
    for (let slot = 0; slot < slots; slot++) store.#slabs[ranges.slab[slot]!]!.live += ranges.length[slot]!
    store.#open = slabs.find((slab) => slab.hasRoomFor(1)) ?? null
    return store
  }

  /** The bytes allocated in memory, in use or not. */
  get size(): number {
    return this.#slabs.reduce((sum, slab) => sum + (slab?.bytes?.length ?? 0), 0)
  }

  /** The files that have documents. */
  get files(): SlabFile[] {
    return this.#slabs.map((slab) => slab?.file ?? null).filter((file) => file !== null)
  }

  get(slot: number): Uint8Array {
    const slab = this.#slabOf(slot)
    const offset = this.#ranges.offset[slot]!
    const length = this.#ranges.length[slot]!
    if (slab.bytes !== null) return slab.bytes.subarray(offset, offset + length)
    return this.#read(slab, slot, (bytes, start, end) => bytes.slice(start, end))
  }

  /** Tests a document in place: for a million of them, even the view that `get` returns costs. */
  test(slot: number, holds: (bytes: Uint8Array, start: number, end: number) => boolean): boolean {
    const slab = this.#slabOf(slot)
    const offset = this.#ranges.offset[slot]!
    if (slab.bytes !== null) return holds(slab.bytes, offset, offset + this.#ranges.length[slot]!)
    return this.#read(slab, slot, holds)
  }

  /** Reads documents in turn: in a file, those that are close together cost one read. */
  readEach(slots: readonly number[], take: Reader<void>): void {
    let readUpTo = 0
    for (const [index, slot] of slots.entries()) {
      const slab = this.#slabOf(slot)
      if (slab.bytes !== null) {
        const offset = this.#ranges.offset[slot]!
        take(slab.bytes, offset, offset + this.#ranges.length[slot]!)
        continue
      }
      if (index >= readUpTo) readUpTo = this.#readRun(slab, slots, index)
      this.#read(slab, slot, take)
    }
  }

  lengthOf(slot: number): number {
    return this.#ranges.length[slot]!
  }

  /** A number that stands for the content of a document. */
  digestOf(slot: number): number {
    return this.#digests.known(slot) ?? this.#digests.add(slot, this.get(slot))
  }

  /** The same for a document that has been read. */
  digestOfRead(slot: number, bytes: Uint8Array, start: number, end: number): number {
    return this.#digests.known(slot) ?? this.#digests.add(slot, bytes.subarray(start, end))
  }

  /**
   * Copies where the documents of `count` slots are, in the given order, with the slabs that hold
   * them. Their bytes stay as they are, whatever is added, replaced or removed.
   */
  contentsOf(runs: Iterable<Uint32Array>, count: number): DocumentContents {
    return contentsOf(this.#ranges, this.#slabs, this.#open, runs, count)
  }

  /** Computes the checksums that are missing. */
  *addChecksums(): Steps<void> {
    for (let start = 0; start < this.#slots; start += STEP) {
      const end = Math.min(this.#slots, start + STEP)
      for (let slot = start; slot < end; slot++) this.#addChecksum(slot)
      yield
    }
  }

  /** Reads the documents of these slabs from files from now on; the files have all that slots refer to. */
  moveToFiles(files: ReadonlyMap<Slab, SlabFile>): void {
    const moved = new Set<number>()
    for (const [slab, file] of files) {
      const number = this.#slabs.indexOf(slab)
      if (number >= 0) moved.add(number)
      else file.drop()
    }
    if (moved.size === 0) return
    this.#addChecksums(moved)
    for (const number of moved) this.#slabs[number]!.moveTo(files.get(this.#slabs[number]!)!)
  }

  /**
   * Moves the first slabs to files as long as there is too much in memory: for documents that are
   * added in published order. May return before they are written: see `settle`.
   */
  async spill(): Promise<void> {
    await this.#spill?.move(
      this.#slabs.filter((slab) => slab !== null && slab !== this.#open && slab.bytes !== null) as Slab[],
    )
  }

  /** Waits for what `spill` has begun. */
  async settle(): Promise<void> {
    await this.#spill?.settle()
  }

  /** Takes what is left in mostly unused files into memory, or corrections would grow them without limit. */
  *compactFiles(): Steps<void> {
    const sparse = new Set<Slab>()
    for (const slab of this.#slabs)
      if (slab?.file && !this.#inFiles.isDamaged(slab) && slab.live < slab.used / 4) sparse.add(slab)
    if (sparse.size === 0) return
    for (let start = 0; start < this.#slots; start += STEP) {
      for (let slot = start; slot < Math.min(this.#slots, start + STEP); slot++)
        if (this.#ranges.length[slot]! > 0 && sparse.has(this.#slabOf(slot))) this.#place(slot, this.get(slot))
      yield
    }
  }

  /** `listener` is called when a file turns out to be damaged. */
  onDamage(listener: (error: unknown) => void): void {
    this.#inFiles.onDamage = listener
  }

  /** Whether the document is in a file that turned out to be damaged. */
  isDamaged(slot: number): boolean {
    return this.#inFiles.isDamaged(this.#slabOf(slot))
  }

  get hasDamage(): boolean {
    return this.#inFiles.hasDamage
  }

  /** Puts a document in place of one that is damaged; returns whether it was the same one. */
  restore(slot: number, document: string): boolean {
    const bytes = encoder.encode(document)
    if (bytes.length !== this.#ranges.length[slot]) return false
    if (checksum(viewOf(bytes), 0, bytes.length) !== this.#ranges.checksum[slot]) return false
    this.#place(slot, bytes)
    return true
  }

  /** Pins the documents of these slots for reading them later. */
  pin(slots: Uint32Array): PinnedDocuments {
    return PinnedDocuments.of(this.#ranges, this.#slabs, slots, (file) => {
      const damaged = this.#slabs.find((one) => one?.file === file)
      if (damaged) this.#inFiles.reportDamage(damaged, new UnreadableDocuments(`${file.name} is damaged`))
    })
  }

  /**
   * Adds the documents of a chunk to slots that have had none, from `slot` on. A large chunk becomes a slab as it
   * is: its bytes must not be used for anything else.
   */
  addChunk(slot: number, { bytes, ends, checksums }: CheckedChunk): void {
    const isSlab = bytes.length >= this.#slabBytes * LEAST_SHARE && bytes.length <= this.#slabBytes
    for (let index = 0, start = 0; index < ends.length; ) {
      const after = isSlab ? ends.length : this.#countThatFit(ends, index)
      const { slab, offset } = isSlab ? this.#takeOver(bytes) : this.#copyIn(bytes.subarray(start, ends[after - 1]!))
      for (const first = start; index < after; index++) {
        this.#setRange(slot + index, slab, offset + start - first, ends[index]! - start, checksums[index]!)
        start = ends[index]!
      }
    }
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
    const number = this.#ranges.slab[slot]!
    const slab = this.#slabs[number]!
    slab.live -= this.#ranges.length[slot]!
    this.#ranges.length[slot] = 0
    if (slab === this.#open) return
    if (slab.live === 0) this.#free(number)
    // Those in files wait for `compactFiles`: an event must not wait for a disk.
    else if (slab.bytes !== null && slab.live < slab.used / 4) this.#rewrite(number)
  }

  #slabOf(slot: number): Slab {
    return this.#slabs[this.#ranges.slab[slot]!]!
  }

  /** Reads a document that is in a file. */
  #read<Result>(slab: Slab, slot: number, take: Reader<Result>): Result {
    const { offset, length, checksum: sums } = this.#ranges
    return this.#inFiles.read(slab, offset[slot]!, length[slot]!, sums[slot]!, take)
  }

  /** Reads the documents that are close together, from the one at `first` on; returns the index behind them. */
  #readRun(slab: Slab, slots: readonly number[], first: number): number {
    const { offset, length } = this.#ranges
    let start = offset[slots[first]!]!
    let end = start + length[slots[first]!]!
    let index = first + 1
    for (; index < slots.length; index++) {
      const slot = slots[index]!
      if (this.#slabOf(slot) !== slab) break
      const [from, to] = [Math.min(start, offset[slot]!), Math.max(end, offset[slot]! + length[slot]!)]
      if (to - from > RUN_BYTES || to - from > end - start + length[slot]! + GAP_BYTES) break
      start = from
      end = to
    }
    if (index > first + 1) this.#inFiles.readAhead(slab, start, end)
    return index
  }

  #addChecksums(slabs: ReadonlySet<number>): void {
    for (let slot = 0; slot < this.#slots; slot++) if (slabs.has(this.#ranges.slab[slot]!)) this.#addChecksum(slot)
  }

  #addChecksum(slot: number): void {
    const slab = this.#slabOf(slot)
    const length = this.#ranges.length[slot]!
    if (this.#ranges.checksum[slot] !== 0 || length === 0 || slab.bytes === null) return
    const offset = this.#ranges.offset[slot]!
    this.#ranges.checksum[slot] = checksum(slab.view, offset, offset + length)
  }

  /** Looks at every document of the store, which the slabs of a load can do without. */
  #addChecksumsOf(slab: Slab): void {
    if (!slab.isChecked) this.#addChecksums(new Set([this.#slabs.indexOf(slab)]))
  }

  /** Returns the index behind the documents, from `first` on, that fit into one slab together; one always does. */
  #countThatFit(ends: Uint32Array, first: number): number {
    const start = ends[first - 1] ?? 0
    let after = first + 1
    while (after < ends.length && ends[after]! - start <= this.#slabBytes) after++
    return after
  }

  #append(slot: number, bytes: Uint8Array): void {
    const { slab, offset } = this.#copyIn(bytes)
    this.#digests.forget(slot)
    this.#setRange(slot, slab, offset, bytes.length, 0)
    this.#slabs[slab]!.isChecked = false
  }

  #copyIn(bytes: Uint8Array): { slab: number; offset: number } {
    const slab = this.#roomFor(bytes.length)
    const offset = slab.used
    slab.bytes!.set(bytes, offset)
    slab.used += bytes.length
    return { slab: this.#slabs.lastIndexOf(slab), offset }
  }

  #takeOver(bytes: Uint8Array): { slab: number; offset: number } {
    // A view of something larger would keep that in memory.
    const own = bytes.length === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)
    return { slab: this.#slabs.push(new Slab(own, own.length)) - 1, offset: 0 }
  }

  #setRange(slot: number, slab: number, offset: number, length: number, known: number): void {
    while (slot >= this.#ranges.slab.length) this.#ranges = enlargeRanges(this.#ranges)
    this.#ranges.slab[slot] = slab
    this.#ranges.offset[slot] = offset
    this.#ranges.length[slot] = length
    this.#ranges.checksum[slot] = known
    this.#slots = Math.max(this.#slots, slot + 1)
    this.#slabs[slab]!.live += length
  }

  /** Moves a document of the same content to the memory. */
  #place(slot: number, bytes: Uint8Array): void {
    const number = this.#ranges.slab[slot]!
    const from = this.#slabs[number]!
    from.live -= bytes.length
    this.#append(slot, bytes)
    if (from.live === 0) this.#free(number)
  }

  #roomFor(length: number): Slab {
    if (this.#open === null || !this.#open.hasRoomFor(length)) {
      this.#open = new Slab(new Uint8Array(Math.max(this.#slabBytes, length)))
      this.#slabs.push(this.#open)
    }
    return this.#open
  }

  #rewrite(number: number): void {
    const { bytes } = this.#slabs[number]!
    for (let slot = 0; slot < this.#slots; slot++) {
      const length = this.#ranges.length[slot]!
      if (this.#ranges.slab[slot] !== number || length === 0) continue
      const offset = this.#ranges.offset[slot]!
      this.#append(slot, bytes!.subarray(offset, offset + length))
    }
    this.#free(number)
  }

  #free(number: number): void {
    const slab = this.#slabs[number]!
    this.#slabs[number] = null
    this.#inFiles.forget(slab)
    slab.file?.drop()
  }
}
