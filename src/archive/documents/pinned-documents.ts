import { checksum, viewOf } from '../../lib/bytes.ts'
import { type SlabFile, UnreadableDocuments } from './slab-file.ts'
import type { DocumentRanges, Slab } from './slabs.ts'

/** Documents that lie one behind the other in a file are read together, up to this many bytes. */
const READ_BYTES = 64 << 10

/** The bytes of pinned documents, or the file that has them. */
type PinnedSlab = Uint8Array | SlabFile

interface PinnedRanges {
  readonly slab: Uint32Array
  readonly offset: Uint32Array
  readonly length: Uint32Array
  readonly checksum: Uint32Array
}

const releaseFiles = new FinalizationRegistry<readonly SlabFile[]>((files) => {
  for (const file of files) file.release()
})

/**
 * Documents as they were at one moment: written bytes are never overwritten, except by a redaction,
 * after which `at` throws for those in files. Costs 16 bytes per incident and keeps replaced
 * documents from being freed, so hold it only for a download.
 */
export class PinnedDocuments {
  readonly #slabs: readonly PinnedSlab[]
  readonly #ranges: PinnedRanges
  readonly #onDamage: (file: SlabFile) => void
  #read: { readonly slab: PinnedSlab; readonly start: number; readonly bytes: Uint8Array } | null = null

  /** `onDamage` is called before `at` throws. */
  constructor(slabs: readonly PinnedSlab[], ranges: PinnedRanges, onDamage: (file: SlabFile) => void) {
    this.#slabs = slabs
    this.#ranges = ranges
    this.#onDamage = onDamage
    const files = slabs.filter((slab): slab is SlabFile => !(slab instanceof Uint8Array))
    for (const file of files) file.hold()
    if (files.length > 0) releaseFiles.register(this, files)
  }

  /** Pins the documents of these slots. */
  static of(
    ranges: DocumentRanges,
    slabs: readonly (Slab | null)[],
    slots: Uint32Array,
    onDamage: (file: SlabFile) => void,
  ): PinnedDocuments {
    const numbers = new Map<number, number>()
    const pinned: PinnedSlab[] = []
    const slab = slots.map((slot) => {
      const number = ranges.slab[slot]!
      let place = numbers.get(number)
      if (place === undefined) {
        place = pinned.push(slabs[number]!.lend()) - 1
        numbers.set(number, place)
      }
      return place
    })
    const offset = slots.map((slot) => ranges.offset[slot]!)
    const length = slots.map((slot) => ranges.length[slot]!)
    const sums = slots.map((slot) => ranges.checksum[slot]!)
    return new PinnedDocuments(pinned, { slab, offset, length, checksum: sums }, onDamage)
  }

  get size(): number {
    return this.#ranges.offset.length
  }

  at(index: number): Uint8Array {
    const slab = this.#slabs[this.#ranges.slab[index]!]!
    const offset = this.#ranges.offset[index]!
    const end = offset + this.#ranges.length[index]!
    if (slab instanceof Uint8Array) return slab.subarray(offset, end)
    try {
      return this.#atInFile(slab, index, offset, end)
    } catch (error) {
      if (error instanceof UnreadableDocuments) this.#onDamage(slab)
      throw error
    }
  }

  #atInFile(file: SlabFile, index: number, offset: number, end: number): Uint8Array {
    const known = this.#read
    if (known?.slab !== file || offset < known.start || end > known.start + known.bytes.length) {
      // New memory each time: the caller may still have the bytes before.
      const bytes = new Uint8Array(this.#endOfRun(index) - offset)
      file.read(bytes, 0, bytes.length, offset)
      this.#read = { slab: file, start: offset, bytes }
    }
    const { start, bytes } = this.#read!
    const found = bytes.subarray(offset - start, end - start)
    if (checksum(viewOf(found), 0, found.length) !== this.#ranges.checksum[index])
      throw new UnreadableDocuments(`${file.name} is damaged`)
    return found
  }

  /** Returns where the documents end that follow this one without a gap. */
  #endOfRun(first: number): number {
    const { slab, offset, length } = this.#ranges
    let end = offset[first]! + length[first]!
    for (let index = first + 1; index < this.size; index++) {
      if (slab[index] !== slab[first] || offset[index] !== end) break
      if (end + length[index]! - offset[first]! > READ_BYTES) break
      end += length[index]!
    }
    return end
  }
}
