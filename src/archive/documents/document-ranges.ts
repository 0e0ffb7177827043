import { enlarge } from '../../lib/enlarge.ts'

const FIRST_CAPACITY = 1024

/** Where the documents of slots 0, 1, 2 … are. */
export interface DocumentRanges {
  slab: Uint16Array
  offset: Uint32Array
  length: Uint32Array
  /** 0 if it is not known. */
  checksum: Uint32Array
}

export function emptyRanges(capacity = FIRST_CAPACITY): DocumentRanges {
  return {
    slab: new Uint16Array(capacity),
    offset: new Uint32Array(capacity),
    length: new Uint32Array(capacity),
    checksum: new Uint32Array(capacity),
  }
}

/** In place: whoever adds documents shares the ranges with those who read them. */
export function enlargeRanges(ranges: DocumentRanges): void {
  ranges.slab = enlarge(ranges.slab)
  ranges.offset = enlarge(ranges.offset)
  ranges.length = enlarge(ranges.length)
  ranges.checksum = enlarge(ranges.checksum)
}
