import { checksum, viewOf } from '../../lib/bytes.ts'
import { type SlabFile, UnreadableDocuments } from './slab-file.ts'
import type { DocumentRanges, Slab } from './slabs.ts'

/** Documents of a list that lie this close together in a file are read at once. */
const GAP_BYTES = 4 << 10
const RUN_BYTES = 256 << 10

/** Reads a document in place, from `start` up to `end`. */
export type Reader<Result> = (bytes: Uint8Array, start: number, end: number) => Result

/**
 * Reads documents of slabs that are in files. Each is compared with its checksum; if it differs,
 * `UnreadableDocuments` is thrown, and the documents of that file have to be restored.
 */
export class FileDocuments {
  readonly #window = new FileWindow()
  readonly #damaged = new Set<Slab>()
  /** Called when a file turns out to be damaged. */
  onDamage: (error: unknown) => void = () => {}

  read<Result>(slab: Slab, offset: number, length: number, expected: number, take: Reader<Result>): Result {
    let start: number
    try {
      start = this.#window.find(slab.file!, offset, length)
      if (checksum(this.#window.view, start, start + length) !== expected) {
        this.#window.clear()
        throw new UnreadableDocuments(`${slab.file!.name} is damaged`)
      }
    } catch (error) {
      if (error instanceof UnreadableDocuments) this.reportDamage(slab, error)
      throw error
    }
    return take(this.#window.bytes, start, start + length)
  }

  /**
   * Reads the documents that are close together, from that of `slots[first]` on, which is in the
   * slab: they are read next. Returns the index behind them.
   */
  readRun(
    slab: Slab,
    { slab: slabs, offset, length }: DocumentRanges,
    slots: readonly number[],
    first: number,
  ): number {
    const number = slabs[slots[first]!]!
    let start = offset[slots[first]!]!
    let end = start + length[slots[first]!]!
    let index = first + 1
    for (; index < slots.length; index++) {
      const slot = slots[index]!
      if (slabs[slot] !== number) break
      const [from, to] = [Math.min(start, offset[slot]!), Math.max(end, offset[slot]! + length[slot]!)]
      if (to - from > RUN_BYTES || to - from > end - start + length[slot]! + GAP_BYTES) break
      start = from
      end = to
    }
    if (index > first + 1) this.#readAhead(slab, start, end)
    return index
  }

  /** Tells it once. */
  reportDamage(slab: Slab, error: unknown): void {
    if (this.#damaged.has(slab)) return
    this.#damaged.add(slab)
    this.onDamage(error)
  }

  isDamaged(slab: Slab): boolean {
    return this.#damaged.size > 0 && this.#damaged.has(slab)
  }

  get hasDamage(): boolean {
    return this.#damaged.size > 0
  }

  /** The slab is not used any more. */
  forget(slab: Slab): void {
    this.#damaged.delete(slab)
  }

  #readAhead(slab: Slab, start: number, end: number): void {
    try {
      this.#window.fill(slab.file!, start, end)
    } catch (error) {
      this.reportDamage(slab, error)
      throw error
    }
  }
}

/** A scan reads this much at once, after it has read a few documents one by one. */
const MOST_BYTES = 256 << 10
const FIRST_BYTES = 4 << 10
/** Documents that are further apart are read one by one. */
const SCAN_GAP_BYTES = 16 << 10

/** A part of a file in memory, for documents that are read one after the other. */
class FileWindow {
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
    const goesOn = this.#file === file && distance < SCAN_GAP_BYTES
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

/** Slabs that are being written at the same time. */
const WRITERS = 2

/** Takes the documents for which there is no memory. */
export interface DocumentFiles {
  /** Documents in memory; those in the slab that is being filled are not counted. */
  readonly memoryBytes: number
  /** Returns null if they have to stay in memory. */
  write(slab: Slab): Promise<SlabFile | null>
}

/** Writes slabs to files while others are loaded. */
export class Spill {
  readonly #files: DocumentFiles
  readonly #prepare: (slab: Slab) => void
  readonly #writing = new Map<Slab, Promise<void>>()

  /** `prepare` is called before a slab is read from its file. */
  constructor(files: DocumentFiles, prepare: (slab: Slab) => void) {
    this.#files = files
    this.#prepare = prepare
  }

  /**
   * Moves the first of these slabs, which are full, as long as there is too much in memory. May
   * return before they are written: see `settle`.
   */
  async move(full: readonly Slab[]): Promise<void> {
    let excess = full.reduce((sum, slab) => sum + slab.used, 0) - this.#files.memoryBytes
    for (const slab of full) {
      if (excess <= 0) break
      excess -= slab.used
      // One that was written when this began may have been moved during a wait for another.
      if (slab.bytes === null || this.#writing.has(slab)) continue
      if (this.#writing.size >= WRITERS) await Promise.race(this.#writing.values())
      this.#writing.set(slab, this.#write(slab))
    }
  }

  async settle(): Promise<void> {
    await Promise.all(this.#writing.values())
  }

  async #write(slab: Slab): Promise<void> {
    const bytes = slab.bytes!
    try {
      const file = await this.#files.write(slab)
      if (file === null) return
      this.#prepare(slab)
      slab.moveTo(file)
      if (!slab.isLent) freeAtOnce(bytes)
    } finally {
      this.#writing.delete(slab)
    }
  }
}

/**
 * Gives memory back that nobody reads any more. Left to the garbage collector, it would stay until
 * that has gone through all objects of the process, again for every few slabs.
 */
function freeAtOnce({ buffer }: Uint8Array): void {
  ;(buffer as ArrayBuffer).transfer(0)
}
