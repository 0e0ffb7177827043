import type { Slab } from '../slab.ts'
import type { SlabFile } from './slab-file.ts'

/** Slabs that are being written at the same time. */
const WRITERS = 2

/** Where documents are put for which there is no memory. */
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
      if (this.#writing.has(slab)) continue
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
