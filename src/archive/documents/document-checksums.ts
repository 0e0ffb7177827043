import type { Steps } from '../../lib/async/steps.ts'
import { checksum } from '../../lib/checksum.ts'
import type { DocumentPlacement } from './document-placement.ts'
import type { Slab } from './slab.ts'

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
