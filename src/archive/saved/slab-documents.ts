import { checksum, viewOf } from '../../lib/bytes.ts'
import type { Steps } from '../../lib/steps.ts'
import { UnreadableDocuments } from '../documents/slab-file.ts'
import type { DocumentRanges } from '../documents/slabs.ts'

/** Documents that are compared with their checksums in one step. */
const STEP = 256

/** The documents of one slab, at one moment. */
export class SlabDocuments {
  readonly #ranges: DocumentRanges
  readonly #slots: Uint32Array

  private constructor(ranges: DocumentRanges, slots: Uint32Array) {
    this.#ranges = ranges
    this.#slots = slots
  }

  /** Sorts the ranges of the first `count` slots by slab. */
  static bySlab(ranges: DocumentRanges, slabs: number, count = ranges.slab.length): SlabDocuments[] {
    const ends = new Uint32Array(slabs + 1)
    for (let slot = 0; slot < count; slot++) ends[ranges.slab[slot]! + 1]!++
    for (let slab = 0; slab < slabs; slab++) ends[slab + 1]! += ends[slab]!
    const next = ends.slice(0, slabs)
    const sorted = new Uint32Array(count)
    for (let slot = 0; slot < count; slot++) sorted[next[ranges.slab[slot]!]!++] = slot
    return Array.from(
      { length: slabs },
      (_, slab) => new SlabDocuments(ranges, sorted.subarray(ends[slab], ends[slab + 1])),
    )
  }

  /** The mean position in published order: the higher, the newer are the documents. */
  get meanPosition(): number {
    return this.#slots.reduce((sum, slot) => sum + slot, 0) / Math.max(1, this.#slots.length)
  }

  /** Tells whether every byte is part of a document. */
  fill(used: number): boolean {
    let live = 0
    for (const slot of this.#slots) live += this.#ranges.length[slot]!
    return live === used
  }

  /** Compares all documents with their checksums, and adds those that are not known. */
  *check(bytes: Uint8Array): Steps<void> {
    const view = viewOf(bytes)
    const { offset, length, checksum: known } = this.#ranges
    for (const [index, slot] of this.#slots.entries()) {
      const found = checksum(view, offset[slot]!, offset[slot]! + length[slot]!)
      if (known[slot] === 0) known[slot] = found
      else if (known[slot] !== found) throw new UnreadableDocuments(`document ${slot} is damaged: its checksum differs`)
      if (index % STEP === STEP - 1) yield
    }
  }

  copyFrom(bytes: Uint8Array, used: number): Uint8Array {
    const copy = new Uint8Array(used)
    for (const slot of this.#slots) {
      const start = this.#ranges.offset[slot]!
      copy.set(bytes.subarray(start, start + this.#ranges.length[slot]!), start)
    }
    return copy
  }

  /** The ranges up to `used` that are part of no document. */
  *gaps(used: number): Generator<readonly [start: number, end: number]> {
    const { offset, length } = this.#ranges
    const slots = this.#slots.toSorted((slot, other) => offset[slot]! - offset[other]!)
    let end = 0
    for (const slot of slots) {
      if (offset[slot]! > end) yield [end, offset[slot]!]
      end = Math.max(end, offset[slot]! + length[slot]!)
    }
    if (end < used) yield [end, used]
  }
}
