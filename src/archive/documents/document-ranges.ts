import { enlarge } from '../../lib/enlarge.ts'

const FIRST_CAPACITY = 1024

/** Where the documents of slots 0, 1, 2 … are. */
export interface DocumentRanges {
  readonly slab: Uint16Array
  readonly offset: Uint32Array
  readonly length: Uint32Array
  /** 0 if it is not known. */
  readonly checksum: Uint32Array
}

export function emptyRanges(capacity = FIRST_CAPACITY): DocumentRanges {
  return {
    slab: new Uint16Array(capacity),
    offset: new Uint32Array(capacity),
    length: new Uint32Array(capacity),
    checksum: new Uint32Array(capacity),
  }
}

export function enlargeRanges({ slab, offset, length, checksum }: DocumentRanges): DocumentRanges {
  return { slab: enlarge(slab), offset: enlarge(offset), length: enlarge(length), checksum: enlarge(checksum) }
}
