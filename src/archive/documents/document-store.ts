import { hash } from 'node:crypto'
import { checksum, viewOf } from '../../lib/bytes.ts'
import type { Steps } from '../../lib/steps.ts'
import { type DocumentFiles, FileDocuments, type Reader, Spill } from './file-documents.ts'
import { PinnedDocuments } from './pinned-documents.ts'
import { type SlabFile, UnreadableDocuments } from './slab-file.ts'
import {
  type CheckedChunk,
  contentsOf,
  DocumentChecksums,
  type DocumentContents,
  DocumentPlacement,
  type DocumentRanges,
  emptyRanges,
  type Slab,
} from './slabs.ts'

export const SLAB_BYTES = 16 << 20
const STEP = 1024
const encoder = new TextEncoder()

/**
 * Stores each incident's JSON in slabs: a million small buffers would cost more than their
 * contents. Slabs are in memory or in files. What is read from a file is compared with its
 * checksum; if it differs, `UnreadableDocuments` is thrown, and the documents of that file have to
 * be restored.
 */
export class DocumentStore {
  /**
   * Shared with the placement, which changes both. Initialized here, not by the constructor: a
   * field that was undefined at first has its type checked at every read, which makes reading a
   * document up to a fifth slower.
   */
  readonly #ranges = emptyRanges()
  readonly #slabs: (Slab | null)[] = []
  readonly #placement: DocumentPlacement
  readonly #checksums: DocumentChecksums
  readonly #digests = new DocumentDigests()
  readonly #inFiles = new FileDocuments()
  readonly #spill: Spill | null

  constructor(slabBytes = SLAB_BYTES, files: DocumentFiles | null = null) {
    this.#placement = new DocumentPlacement(slabBytes, this.#ranges, this.#slabs)
    this.#placement.onFree = (slab) => this.#inFiles.forget(slab)
    this.#checksums = new DocumentChecksums(this.#placement)
    this.#spill = files && new Spill(files, (slab) => this.#checksums.addOfSlab(slab))
  }

  /** Takes over slabs and the ranges in them; `slots` may be below the lengths of the ranges. */
  static of(ranges: DocumentRanges, slots: number, slabs: readonly Slab[], slabBytes = SLAB_BYTES): DocumentStore {
    const store = new DocumentStore(slabBytes)
    store.#placement.takeOver(ranges, slots, slabs)
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
    return contentsOf(this.#ranges, this.#slabs, this.#placement.open, runs, count)
  }

  /** Computes the checksums that are missing. */
  addChecksums(): Steps<void> {
    return this.#checksums.addAll()
  }

  /**
   * Reads the documents of these slabs from files from now on; the files have all that slots refer
   * to.
   */
  moveToFiles(files: ReadonlyMap<Slab, SlabFile>): void {
    const moved = new Set<number>()
    for (const [slab, file] of files) {
      const number = this.#slabs.indexOf(slab)
      if (number >= 0) moved.add(number)
      else file.drop()
    }
    if (moved.size === 0) return
    this.#checksums.addOfSlabs(moved)
    for (const number of moved) this.#slabs[number]!.moveTo(files.get(this.#slabs[number]!)!)
  }

  /**
   * Moves the first slabs to files as long as there is too much in memory: for documents that are
   * added in published order. May return before they are written: see `settle`.
   */
  async spill(): Promise<void> {
    await this.#spill?.move(
      this.#slabs.filter((slab) => slab !== null && slab !== this.#placement.open && slab.bytes !== null) as Slab[],
    )
  }

  /** Waits for what `spill` has begun. */
  async settle(): Promise<void> {
    await this.#spill?.settle()
  }

  /**
   * Takes what is left in mostly unused files into memory, or corrections would grow them without
   * limit.
   */
  *compactFiles(): Steps<void> {
    const sparse = new Set<Slab>()
    for (const slab of this.#slabs)
      if (slab?.file && !this.#inFiles.isDamaged(slab) && slab.live < slab.used / 4) sparse.add(slab)
    if (sparse.size === 0) return
    for (let start = 0; start < this.#placement.slots; start += STEP) {
      for (let slot = start; slot < Math.min(this.#placement.slots, start + STEP); slot++)
        if (this.#ranges.length[slot]! > 0 && sparse.has(this.#slabOf(slot))) this.#placement.move(slot, this.get(slot))
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
    this.#digests.forget(slot)
    this.#placement.move(slot, bytes)
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
   * Adds the documents of a chunk to slots that have had none, from `slot` on. A large chunk
   * becomes a slab as it is: its bytes must not be used for anything else.
   */
  addChunk(slot: number, chunk: CheckedChunk): void {
    this.#placement.addChunk(slot, chunk)
  }

  addDocument(slot: number, document: string): void {
    this.#digests.forget(slot)
    this.#placement.append(slot, encoder.encode(document))
  }

  replaceDocument(slot: number, document: string): void {
    this.removeDocument(slot)
    this.addDocument(slot, document)
  }

  removeDocument(slot: number): void {
    this.#placement.remove(slot)
  }

  #slabOf(slot: number): Slab {
    return this.#slabs[this.#ranges.slab[slot]!]!
  }

  /** Reads a document that is in a file. */
  #read<Result>(slab: Slab, slot: number, take: Reader<Result>): Result {
    const { offset, length, checksum: sums } = this.#ranges
    return this.#inFiles.read(slab, offset[slot]!, length[slot]!, sums[slot]!, take)
  }

  /**
   * A method of its own: with this call in `readEach`, reading documents in memory takes a tenth
   * longer.
   */
  #readRun(slab: Slab, slots: readonly number[], first: number): number {
    return this.#inFiles.readRun(slab, this.#ranges, slots, first)
  }
}

/** Memory is taken for this many slots at once, and only where documents are listed. */
const CHUNK_BITS = 13
const SLOTS_PER_CHUNK = 1 << CHUNK_BITS
const INDEX_MASK = SLOTS_PER_CHUNK - 1
const DIGEST_BYTES = 6

/**
 * A number for the content of each document, worked out when first asked for: a list of fifty
 * documents is identified by their numbers, for a twentieth of what hashing its bytes costs.
 */
class DocumentDigests {
  readonly #chunks: (Float64Array | undefined)[] = []

  /** Null if it was not worked out yet. */
  known(slot: number): number | null {
    return this.#chunks[slot >>> CHUNK_BITS]?.[slot & INDEX_MASK] || null
  }

  /** `bytes` are the document in the slot. Equal content has the same digest on every node. */
  add(slot: number, bytes: Uint8Array): number {
    const digest = hash('sha1', bytes, 'buffer').readUIntBE(0, DIGEST_BYTES) || 1
    this.#chunkOf(slot)[slot & INDEX_MASK] = digest
    return digest
  }

  /** Call it whenever a slot gets another document. */
  forget(slot: number): void {
    const chunk = this.#chunks[slot >>> CHUNK_BITS]
    if (chunk !== undefined) chunk[slot & INDEX_MASK] = 0
  }

  #chunkOf(slot: number): Float64Array {
    const number = slot >>> CHUNK_BITS
    const known = this.#chunks[number]
    if (known !== undefined) return known
    const chunk = new Float64Array(SLOTS_PER_CHUNK)
    this.#chunks[number] = chunk
    return chunk
  }
}
