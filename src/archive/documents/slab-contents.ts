import { type DocumentRanges, emptyRanges } from './document-ranges.ts'
import type { Slab } from './slab.ts'

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
